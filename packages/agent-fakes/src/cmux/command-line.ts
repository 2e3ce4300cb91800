import { parseArgs } from 'node:util';
import { AccessMode } from './access.ts';
import type { FakeCmuxOptions } from './options.ts';
import { usualSocketPath } from './places.ts';
import { cmuxVersion } from './version.ts';

/** What the program was told; or what is wrong with it. */
export type CommandLine =
  | { readonly ok: { readonly options: FakeCmuxOptions; readonly controlPath?: string; readonly reportPath?: string } }
  | { readonly usageError: string };

export const USAGE = `usage: bailiwick-fake-cmux --socket PATH|--home FOLDER [--version 0.63|0.64.0|0.64.7|…|new]
  [--mode ${Object.values(AccessMode).join('|')}] [--password WORD] [--localised] [--relay] [--seed N]
  [--hang] [--delay-ms N] [--chunk-bytes N] [--drop-percent N] [--idle-close-ms N] [--control PATH] [--report FILE]`;

const FLAGS = {
  socket: { type: 'string' },
  home: { type: 'string' },
  version: { type: 'string', default: 'new' },
  mode: { type: 'string', default: AccessMode.cmuxOnly },
  password: { type: 'string' },
  localised: { type: 'boolean', default: false },
  relay: { type: 'boolean', default: false },
  seed: { type: 'string', default: '1' },
  hang: { type: 'boolean', default: false },
  'delay-ms': { type: 'string', default: '0' },
  'chunk-bytes': { type: 'string', default: '0' },
  'drop-percent': { type: 'string', default: '0' },
  'idle-close-ms': { type: 'string', default: '30000' },
  control: { type: 'string' },
  report: { type: 'string' },
} as const;

/** Reads the program's arguments; starts nothing. */
export function parseCommandLine(argv: readonly string[]): CommandLine {
  try {
    return checked(argv);
  } catch (error) {
    return { usageError: error instanceof Error ? error.message : String(error) };
  }
}

function checked(argv: readonly string[]): CommandLine {
  const { values } = parseArgs({ args: [...argv], options: FLAGS, strict: true });
  const { home } = values;
  const socketPath = values.socket ?? (home === undefined ? undefined : usualSocketPath(home, values.version));
  if (socketPath === undefined) return { usageError: '--socket or --home is needed' };
  const mode = Object.values(AccessMode).find((one) => one === values.mode);
  if (mode === undefined) return { usageError: `--mode must be one of ${Object.values(AccessMode).join(', ')}` };
  cmuxVersion(values.version);
  const options: FakeCmuxOptions = {
    socketPath,
    ...(home === undefined ? {} : { home }),
    version: values.version,
    mode,
    isLocalised: values.localised,
    isRelayed: values.relay,
    seed: wholeNumber('--seed', values.seed),
    faults: {
      isHanging: values.hang,
      delayMs: wholeNumber('--delay-ms', values['delay-ms']),
      chunkBytes: wholeNumber('--chunk-bytes', values['chunk-bytes']),
      dropPercent: wholeNumber('--drop-percent', values['drop-percent']),
      idleCloseMs: wholeNumber('--idle-close-ms', values['idle-close-ms']),
    },
    ...(values.password === undefined ? {} : { password: values.password }),
  };
  return {
    ok: {
      options,
      ...(values.control === undefined ? {} : { controlPath: values.control }),
      ...(values.report === undefined ? {} : { reportPath: values.report }),
    },
  };
}

function wholeNumber(flag: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new RangeError(`${flag} needs a whole number, not ${JSON.stringify(text)}`);
}
