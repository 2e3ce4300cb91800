// Supervisors that no real one is like: the last argument of Node says which.
import { text } from 'node:stream/consumers';

const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);
const ready = { kind: 'ready', supervisorVersion: '0', pid: process.pid, socketPath: null };

await text(process.stdin);
switch (process.execArgv.at(-1)?.split('=')[1]) {
  case 'tells-its-environment':
    say({ kind: 'refused', code: 'TOLD', reason: JSON.stringify(process.env) });
    break;
  case 'hangs':
    process.on('SIGTERM', () => undefined);
    setInterval(() => undefined, 1_000);
    break;
  case 'complains':
    process.stderr.write('no memory left');
    process.exitCode = 3;
    break;
  case 'dies-after-ready':
    process.stdout.write('some noise\n');
    say(ready);
    break;
  default:
}
