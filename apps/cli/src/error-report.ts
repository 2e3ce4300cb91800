import { ExitCode } from './exit-code.ts';

/** An error as it is shown: what is wrong, where, what to do. */
export interface ErrorReport {
  readonly code: string;
  readonly message: string;
  readonly path?: string;
  readonly hint?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly exitCode: ExitCode;
}

/** Errors that come after something was started; everything else that has a code refuses the request. */
const FAILURES: ReadonlySet<string> = new Set([
  'BATCH_ABORTED',
  'LAUNCH_FAILED',
  'DISK_FULL',
  'IO_FAILED',
  'DOCUMENT_DAMAGED',
  'LOCK_TIMEOUT',
  'GIT_FAILED',
  'RUN_NOT_SOUND',
  'APPLY_CONFLICT',
  'INTERNAL',
]);

/** Reads an error of any of our packages by its fields; one without a code is our own mistake. */
export function reportOf(error: unknown): ErrorReport {
  if (!(error instanceof Error)) return internal(String(error));
  const fields = error as Error & { readonly [field: string]: unknown }; // fields are checked one by one below
  const code = fields['code'];
  if (typeof code !== 'string') return internal(error.message);
  return {
    code,
    message: error.message,
    ...textField('path', fields['path']),
    ...textField('hint', fields['hint']),
    ...detailsOf(fields),
    exitCode: FAILURES.has(code) ? ExitCode.failed : ExitCode.refused,
  };
}

/** As it stands in a document: the exit code is the process's own. */
export function errorFields(report: ErrorReport): Omit<ErrorReport, 'exitCode'> {
  const { exitCode: _, ...fields } = report;
  return fields;
}

function internal(message: string): ErrorReport {
  return {
    code: 'INTERNAL',
    message: `this is a mistake of bailiwick itself: ${message}`,
    hint: 'run it again with --verbose and report what it prints',
    exitCode: ExitCode.failed,
  };
}

function textField(name: 'path' | 'hint', value: unknown): Partial<Record<'path' | 'hint', string>> {
  return typeof value === 'string' && value !== '' ? { [name]: value } : {};
}

function detailsOf(fields: { readonly [field: string]: unknown }): Pick<ErrorReport, 'details'> {
  const found = Object.fromEntries(
    ['issues', 'names', 'details', 'keptAt'].flatMap((name) =>
      fields[name] === undefined ? [] : [[name, fields[name]]],
    ),
  );
  return Object.keys(found).length === 0 ? {} : { details: found };
}
