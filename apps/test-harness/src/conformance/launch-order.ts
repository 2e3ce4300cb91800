import { text } from 'node:stream/consumers';
import { supervisionOrderCodec } from '@bailiwick/dispatch-state';
import { type BackendRecipe, makeBackend } from './make-backend.ts';

/**
 * A command as the conformance suite wants it (B2): launches the order on its input through the backend of its argument, prints
 * `ready`, and waits to be killed.
 */
export async function launchOrder([recipe = '']: readonly string[]): Promise<number> {
  const order = supervisionOrderCodec.decode(JSON.parse(await text(process.stdin)), 'standard input');
  const made: BackendRecipe = JSON.parse(recipe); // written by the suite that starts this command
  await makeBackend(made).launch(order, { onReady: () => process.stdout.write('ready\n') });
  return new Promise<number>(() => setInterval(() => undefined, KEEP_ALIVE_MS));
}

const KEEP_ALIVE_MS = 1_000;
