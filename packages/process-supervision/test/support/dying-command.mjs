// A command that launches a supervisor on the order in its first argument, and is killed as soon as it hears "ready".
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../src/supervisor-main.ts', import.meta.url));
const child = spawn(process.execPath, ['--conditions=@bailiwick/source', program], {
  detached: true,
  stdio: ['pipe', 'pipe', 'ignore'],
});
child.stdout.once('data', () => process.kill(process.pid, 'SIGKILL'));
child.stdin.end(readFileSync(process.argv[2]));
