import { createColors } from 'picocolors';
import type { Documents } from './documents/documents.ts';
import { DOCUMENT_VERSION } from './documents/version.ts';
import { type ErrorReport, errorFields } from './error-report.ts';

/** Where a command's words go: one JSON document on stdout with `--json`, lines for a person else; progress always to stderr. */
export interface Output {
  readonly isJson: boolean;
  readonly colors: ReturnType<typeof createColors>;
  /** Prints the command's one result: a document that has a published schema, by its name. */
  result<Name extends keyof Documents = never>(document: Documents[Name], lines: () => readonly string[]): void;
  /** Prints what came of a command that was broken off, and by what; with `--json` one document, the error a member of it. */
  partial<Name extends Breakable = never>(
    document: Documents[Name],
    lines: () => readonly string[],
    broken: { readonly report: ErrorReport; readonly cause: unknown },
  ): void;
  /** A line of progress for a person; silent with `--quiet`. */
  progress(line: string): void;
  error(report: ErrorReport, cause: unknown): void;
}

/** Documents that are told with the error that broke them off. */
type Breakable = { [Name in keyof Documents]: 'error' extends keyof Documents[Name] ? Name : never }[keyof Documents];

/** The flags that decide how a command speaks. */
export interface OutputOptions {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
}

/** Where it goes, and what says how: a process is one. */
export interface OutputPlace {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly env: Readonly<NodeJS.ProcessEnv>;
}

interface OutputStream {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** An output on the streams of this process, or on others; colours as terminal, NO_COLOR and FORCE_COLOR say. */
export function createOutput(o: OutputOptions, { stdout, stderr, env }: OutputPlace = process): Output {
  const colors = createColors(wantsColor(stdout, env));
  const errorColors = createColors(wantsColor(stderr, env));
  const print = (document: object, lines: () => readonly string[]): void => {
    const text = o.json ? JSON.stringify({ schemaVersion: DOCUMENT_VERSION, ...document }) : lines().join('\n');
    stdout.write(`${text}\n`);
  };
  const tell = (report: ErrorReport, cause: unknown): void => {
    if (!o.json) stderr.write(`${errorLines(report, errorColors).join('\n')}\n`);
    if (o.verbose && cause instanceof Error) stderr.write(`${cause.stack ?? ''}\n`);
  };
  return {
    isJson: o.json,
    colors,
    result: print,
    partial(document, lines, { report, cause }) {
      print({ ...document, error: errorFields(report) }, lines);
      tell(report, cause);
    },
    progress(line) {
      if (!o.quiet) stderr.write(`${errorColors.dim('·')} ${line}\n`);
    },
    error(report, cause) {
      if (o.json) stdout.write(`${JSON.stringify({ error: errorFields(report) })}\n`);
      tell(report, cause);
    },
  };
}

/** What to do has a line of its own, and so has the place where the message doesn't name it; nothing is said twice. */
export function errorLines(report: ErrorReport, colors: ReturnType<typeof createColors>): readonly string[] {
  const { message, code, path, hint } = report;
  const said = hint !== undefined && message.endsWith(`. ${hint}`) ? message.slice(0, -hint.length - 2) : message;
  return [
    `${colors.red('error')} ${said} ${colors.dim(`[${code}]`)}`,
    ...(path === undefined || said.includes(path) ? [] : [`   at ${path}`]),
    ...(hint === undefined ? [] : [`   do ${hint}`]),
  ];
}

function wantsColor(stream: OutputStream, env: OutputPlace['env']): boolean {
  const { NO_COLOR, FORCE_COLOR } = env;
  if (NO_COLOR !== undefined && NO_COLOR !== '') return false;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '' && FORCE_COLOR !== '0') return true;
  return stream.isTTY === true;
}
