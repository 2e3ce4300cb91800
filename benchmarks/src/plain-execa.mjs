import { execa } from 'execa';

// The least that runs so many commands at the same time and knows how each ended.
const [count = '1', program = '', ...args] = process.argv.slice(2);
await Promise.all(
  Array.from({ length: Number(count) }, () => execa(program, args, { reject: false, stdin: 'ignore' })),
);
