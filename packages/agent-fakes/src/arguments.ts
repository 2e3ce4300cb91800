import { Behaviour } from './behaviours.ts';
import { Dialect } from './dialects.ts';
import type { FakeAgentRequest } from './fake-agent-request.ts';
import { OWN_FLAGS } from './own-flags.ts';

/** The parsed command line: what the program itself was told, and what the CLI that it stands for was told. */
export interface FakeAgentArguments {
  readonly request: FakeAgentRequest;
  readonly sessionId?: string;
  readonly model?: string;
}

export type ParsedArguments = { readonly ok: FakeAgentArguments } | { readonly usageError: string };

/** Reads the program's own flags up to the first foreign word; all that follows is the CLI's, of which few matter. */
export function parseArguments(argv: readonly string[]): ParsedArguments {
  const own = takeOwnFlags(argv);
  if ('usageError' in own) return own;
  const request = checkRequest(own.values);
  if ('usageError' in request) return request;
  const foreign = argv.slice(own.taken);
  const sessionId = flagValue(foreign, ['--session-id']);
  const model = flagValue(foreign, ['--model', '-m']);
  return {
    ok: { request, ...(sessionId === undefined ? {} : { sessionId }), ...(model === undefined ? {} : { model }) },
  };
}

type Values = Partial<Record<keyof FakeAgentRequest, string | number>>;

function takeOwnFlags(
  argv: readonly string[],
): { readonly values: Values; readonly taken: number } | { readonly usageError: string } {
  const values: Values = {};
  let taken = 0;
  for (;;) {
    const known = OWN_FLAGS.find(({ flag }) => flag === argv[taken]);
    if (known === undefined) return { values, taken };
    const text = argv[taken + 1];
    if (text === undefined) return { usageError: `${known.flag} needs a value` };
    const value = known.holds === 'number' ? Number(text) : text;
    if (typeof value === 'number' && !(Number.isInteger(value) && value >= 0)) {
      return { usageError: `${known.flag} needs a whole number, not ${JSON.stringify(text)}` };
    }
    values[known.key] = value;
    taken += 2;
  }
}

function checkRequest(values: Values): FakeAgentRequest | { readonly usageError: string } {
  const speak = oneOf(Dialect, values.speak);
  if (speak === undefined)
    return { usageError: `--speak must come first, one of ${Object.values(Dialect).join(', ')}` };
  const as = oneOf(Behaviour, values.as ?? Behaviour.work);
  if (as === undefined) return { usageError: `--as must be one of ${Object.values(Behaviour).join(', ')}` };
  if (values.ledger === undefined && (as === Behaviour.noResultOnce || values.times !== undefined)) {
    return { usageError: `${values.times === undefined ? `--as ${as}` : '--times'} needs --ledger, to count attempts` };
  }
  // Each value was read as its flag holds it (OWN_FLAGS), and the closed sets were just checked.
  return { ...(values as Omit<FakeAgentRequest, 'speak' | 'as'>), speak, as };
}

function oneOf<T extends string>(set: Readonly<Record<string, T>>, value: unknown): T | undefined {
  return Object.values(set).find((known) => known === value);
}

/** `--flag value` or `--flag=value`; the last one counts, as in the real CLIs. */
function flagValue(argv: readonly string[], flags: readonly string[]): string | undefined {
  let value: string | undefined;
  argv.forEach((word, index) => {
    const flag = flags.find((known) => word === known || word.startsWith(`${known}=`));
    if (flag !== undefined) value = word === flag ? argv[index + 1] : word.slice(flag.length + 1);
  });
  return value;
}
