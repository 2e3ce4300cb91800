// The gateway in a process of its own, as a supervisor hosts it; its one attempt leads to the server that is named.
import { openGateway } from '@bailiwick/model-gateway';

const [upstream = ''] = process.argv.slice(2);
const gateway = await openGateway();
const attempt = gateway.admit({ format: 'openai-chat', upstream, key: { value: 'bench-key' } });
process.stdout.write(`${attempt.url}\n`);
process.stdin.resume().on('end', () => process.exit());
