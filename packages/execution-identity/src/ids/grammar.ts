import type { IdentityErrorCode } from '../errors.ts';
import { fieldError } from '../field-error.ts';
import { show } from '../show.ts';

/** What an id may look like. `pattern` alone decides; the rest puts a refusal into words. */
export interface IdGrammar {
  /** The key under which documents carry it. */
  readonly field: string;
  /** In prose, with its article: "a worker id". */
  readonly called: string;
  readonly code: IdentityErrorCode;
  readonly pattern: RegExp;
  /** Unicode code points; `pattern` holds it too. */
  readonly maxCharacters: number;
  /** What `pattern` asks for. */
  readonly form: string;
}

export const LONGEST_ID = 200;

// Classes are spelled out, without \p{…}, so that the JSON Schema made of them means the same in every validator.
/** C0, DEL, C1, line separators, marks that are invisible or turn the reading direction. */
const FORBIDDEN = '\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff';
const SPACE = ' \\u00a0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u3000';
const SURROGATE = '\\ud800-\\udfff';
const PAIR = '[\\ud800-\\udbff][\\udc00-\\udfff]';
const ANY = allBut('');
const VISIBLE = allBut(SPACE);
const forbiddenCharacter = new RegExp(`[${FORBIDDEN}${SURROGATE}]`, 'u');
const spaceAtAnEnd = new RegExp(`^[${SPACE}]|[${SPACE}]$`, 'u');

/** A number from 1 to 999999, in the one form that it has. */
export const COUNT = '[1-9][0-9]{0,5}';

/** One line of visible text, no white space at its ends. */
export function lineOf(maxCharacters: number): string {
  return `${VISIBLE}(?:${ANY}{0,${maxCharacters - 2}}${VISIBLE})?`;
}

/** A line without white space and without a leading `-`, for it may stand in an argument vector. */
export function wordOf(maxCharacters: number, without = ''): string {
  return `${allBut(`${SPACE}\\-${without}`)}${allBut(`${SPACE}${without}`)}{0,${maxCharacters - 1}}`;
}

/** `parts` lines joined by `/`, none of them `.` or `..`. */
export function slashedOf(parts: number, maxCharacters: number): string {
  const inner = `${allBut('/')}*${allBut(`${SPACE}/`)}`;
  const part = `(?:\\.?${allBut(`${SPACE}/.`)}(?:${inner})?|\\.\\.${inner})`;
  return `(?=(?:${ANY}){1,${maxCharacters}}$)${Array(parts).fill(part).join('/')}`;
}

export function exactly(source: string): RegExp {
  return new RegExp(`^${source}$`, 'u');
}

export function matches(grammar: IdGrammar, value: unknown): value is string {
  return typeof value === 'string' && grammar.pattern.test(value);
}

/** Returns the value, or throws the grammar's code; the message says what is wrong with it, and where. */
export function requireMatch(grammar: IdGrammar, value: unknown, where?: string): string {
  if (matches(grammar, value)) return value;
  const { field, called } = grammar;
  const said = `${show(value)} is not ${called}: ${whyNot(grammar, value)}`;
  throw fieldError(grammar.code, said, { field, where, hint: `give ${called}: ${grammar.form}` });
}

/** Why the grammar refuses the value; meaningless for one that it accepts. */
export function whyNot(grammar: IdGrammar, value: unknown): string {
  if (typeof value !== 'string') return `it is ${show(value)}, not a string`;
  if (value === '') return 'it is empty';
  if (forbiddenCharacter.test(value)) return 'it has a control character, line break, invisible mark or lone surrogate';
  if (spaceAtAnEnd.test(value)) return 'it begins or ends with white space';
  if (isLongerThan(value, grammar.maxCharacters)) return `it is longer than ${grammar.maxCharacters} characters`;
  return `it must be ${grammar.form}`;
}

function isLongerThan(text: string, maxCharacters: number): boolean {
  return text.length > maxCharacters * 2 || Array.from(text).length > maxCharacters;
}

/**
 * One character that is neither forbidden nor in the given class. The pair stands beside the class for validators whose
 * regular expressions see UTF-16 units: with the `u` flag and without it, the same text matches.
 */
function allBut(characters: string): string {
  return `(?:[^${FORBIDDEN}${characters}${SURROGATE}]|${PAIR})`;
}
