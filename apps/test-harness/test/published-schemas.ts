import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { z } from 'zod';

const FOLDER = join(createRequire(import.meta.url).resolve('bailiwick/package.json'), '..', 'schema');
const VERSION = '-v1.json';

/** Names of all documents that the command line has a published schema of. */
export const DOCUMENT_NAMES: readonly string[] = readdirSync(FOLDER).map((file) => file.slice(0, -VERSION.length));

/** Names of the documents that were checked in this process. */
export const checkedDocuments = new Set<string>();

const validators = new Map<string, z.ZodType>();

/** Throws where what a command printed with `--json` isn't exactly what the published schema of its document says. */
export function checkDocument(args: readonly string[], document: unknown): void {
  const name = nameOf(args, document);
  const result = validatorOf(name).safeParse(document);
  checkedDocuments.add(name);
  if (result.success) return;
  const what = `bailiwick ${args.join(' ')} printed what ${name}${VERSION} doesn't accept`;
  throw new Error(`${what}: ${z.prettifyError(result.error)}\n${JSON.stringify(document)}`);
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
