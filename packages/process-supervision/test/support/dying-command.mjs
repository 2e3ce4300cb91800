// A command that launches a supervisor (its first argument) on an order (its second), and is killed as soon as it hears "ready".
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

const [program, order] = process.argv.slice(2);
const child = spawn(process.execPath, [program], {
  detached: true,
  stdio: ['pipe', 'pipe', 'ignore'],
});
child.stdout.once('data', () => process.kill(process.pid, 'SIGKILL'));
child.stdin.end(readFileSync(order));
