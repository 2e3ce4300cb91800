import type { FakeAgentRequest } from './fake-agent-request.ts';

/** Every flag of the program itself, in the order in which they are written; `speak` comes first and is required. */
export const OWN_FLAGS = [
  { key: 'speak', flag: '--speak', holds: 'text' },
  { key: 'as', flag: '--as', holds: 'text' },
  { key: 'serve', flag: '--serve', holds: 'text' },
  { key: 'ledger', flag: '--ledger', holds: 'text' },
  { key: 'delayMs', flag: '--delay-ms', holds: 'number' },
  { key: 'floodBytes', flag: '--flood-bytes', holds: 'number' },
  { key: 'status', flag: '--status', holds: 'number' },
  { key: 'times', flag: '--times', holds: 'number' },
  { key: 'extraFile', flag: '--extra-file', holds: 'text' },
] as const satisfies readonly OwnFlag[];

export interface OwnFlag {
  readonly key: keyof FakeAgentRequest;
  readonly flag: `--${string}`;
  readonly holds: 'text' | 'number';
}
