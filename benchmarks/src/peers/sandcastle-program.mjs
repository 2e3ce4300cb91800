// One round for each line on stdin: as many no-op agents at once as the line says, each in a worktree of its own. Answers `ended K`, the
// number of those that came to their end. Runs beside an installed @ai-hero/sandcastle, in a git repository that is its working folder.
import { createInterface } from 'node:readline';
// @boundaries-ignore the peer is installed beside the copy of this program that runs, and is no dependency of ours
import { run } from '@ai-hero/sandcastle';
// @boundaries-ignore the peer is installed beside the copy of this program that runs, and is no dependency of ours
import { noSandbox } from '@ai-hero/sandcastle/sandboxes/no-sandbox';

const agent = {
  name: 'no-op',
  env: {},
  captureSessions: false,
  buildPrintCommand: () => ({ command: "printf '<promise>COMPLETE</promise>\\n'" }),
  parseStreamLine: (line) => [{ type: 'text', text: line }],
};

let made = 0;
for await (const line of createInterface({ input: process.stdin })) {
  const runs = Array.from({ length: Number(line) }, () => {
    made += 1;
    return run({
      agent,
      sandbox: noSandbox(),
      prompt: 'Do nothing.',
      branchStrategy: { type: 'branch', branch: `no-op-${made}` },
      logging: { type: 'file', path: `.sandcastle/logs/${made}.log` },
    });
  });
  const ended = await Promise.allSettled(runs);
  process.stdout.write(`ended ${ended.filter((result) => result.status === 'fulfilled').length}\n`);
}
