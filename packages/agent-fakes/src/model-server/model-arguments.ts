import { parseArgs } from 'node:util';

/** The command line of `bailiwick-fake-model`. */
export interface FakeModelRequest {
  /** The scenario file. */
  readonly scenario: string;
  /** A file that gets a JSON line per request. */
  readonly record?: string;
  /** Default: any free one. */
  readonly port?: number;
  /** It ends when its stdin does: with whoever started it, however that one ends. */
  readonly whileStdin?: boolean;
}

export const FAKE_MODEL_USAGE =
  'usage: bailiwick-fake-model --scenario FILE [--record FILE] [--port N] [--while-stdin]';

/** Reads the command line; undefined where it isn't one. */
export function parseModelArguments(argv: readonly string[]): FakeModelRequest | undefined {
  const values = valuesOf(argv);
  if (values?.scenario === undefined) return undefined;
  const port = values.port === undefined ? undefined : Number(values.port);
  if (port !== undefined && !(Number.isInteger(port) && port >= 0 && port < 65_536)) return undefined;
  return {
    scenario: values.scenario,
    ...(values.record === undefined ? {} : { record: values.record }),
    ...(port === undefined ? {} : { port }),
    whileStdin: values['while-stdin'] === true,
  };
}

function valuesOf(argv: readonly string[]) {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({
      args: [...argv],
      options: { scenario: text, record: text, port: text, 'while-stdin': { type: 'boolean' } },
    }).values;
  } catch {
    return undefined; // an option or a word that isn't one of ours
  }
}
