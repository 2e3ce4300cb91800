// A command as the conformance suite wants it: launches the order on its input under the supervisor of its argument, prints "ready", and waits to be killed.
import { text } from 'node:stream/consumers';
import { supervisionOrderCodec } from '@bailiwick/dispatch-state';
import { makeBackend } from './make-backend.ts';

const [supervisorPath = ''] = process.argv.slice(2);
const order = supervisionOrderCodec.decode(JSON.parse(await text(process.stdin)), 'standard input');
await makeBackend(supervisorPath).launch(order, { onReady: () => process.stdout.write('ready\n') });
setInterval(() => undefined, 1_000);
