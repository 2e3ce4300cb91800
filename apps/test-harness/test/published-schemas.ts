import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const FOLDER = join(createRequire(import.meta.url).resolve('bailiwick/package.json'), '..', 'schema');
const VERSION = '-v1.json';

/** Where every process leaves the names of the documents that it checked; `npm test` looks whether one is missing. */
const CHECKED = fileURLToPath(new URL('../../../.reports/documents/', import.meta.url));

/** Names of the documents that were checked in this process. */
export const checkedDocuments = new Set<string>();

const validators = new Map<string, z.ZodType>();

/** Throws where what a command printed with `--json` isn't exactly what the published schema of its document says. */
export function checkDocument(args: readonly string[], document: unknown): void {
  const name = nameOf(args, document);
  const result = validatorOf(name).safeParse(document);
  noteChecked(name);
  if (result.success) return;
  const what = `bailiwick ${args.join(' ')} printed what ${name}${VERSION} doesn't accept`;
  throw new Error(`${what}: ${z.prettifyError(result.error)}\n${JSON.stringify(document)}`);
}

function noteChecked(name: string): void {
  if (checkedDocuments.has(name)) return;
  checkedDocuments.add(name);
  mkdirSync(CHECKED, { recursive: true });
  writeFileSync(join(CHECKED, name), '');
}

/** By the command's words and the flags that make another document of it. */
function nameOf(args: readonly string[], document: unknown): string {
  if (isRefusal(document)) return 'error';
  const [first = '', second = ''] = args;
  if (first === 'init' || first === 'completion') return first;
  if (first === 'doctor') return args.includes('--cmux-probe') ? 'cmux-probe' : first;
  if (first === 'team' && second === 'dispatch') return args.includes('--dry-run') ? 'team-dry-run' : 'team-dispatch';
  return first === 'run' && ['start', 'resume'].includes(second) ? 'run-show' : `${first}-${second}`;
}

function isRefusal(document: unknown): boolean {
  return typeof document === 'object' && document !== null && Object.keys(document).join() === 'error';
}

/** A published schema as a validator, read back from its text: nothing is taken from what it was generated from. */
function validatorOf(name: string): z.ZodType {
  const known = validators.get(name);
  if (known !== undefined) return known;
  // JSON Schema reads patterns with the `u` flag, zod's reader doesn't: it needs the classes spelled out.
  const text = readFileSync(join(FOLDER, `${name}${VERSION}`), 'utf8')
    .replaceAll('\\\\p{Cc}', '\\\\u0000-\\\\u001f\\\\u007f-\\\\u009f')
    .replaceAll('\\\\p{Cs}', '');
  const validator = z.fromJSONSchema(JSON.parse(text));
  validators.set(name, validator);
  return validator;
}
