import type { AgentObservation } from '../observation.ts';

const MAX_LINE_CHARACTERS = 300;
const MAX_NAME_CHARACTERS = 256;

// Escape sequences, control characters and marks of direction would let an agent's text drive the terminal that shows it.
const ESC = String.fromCharCode(27);
const BEL = String.fromCharCode(7);
const ESCAPES = new RegExp(`${ESC}(?:\\[[0-?]*[ -/]*[@-~]|\\][^${BEL}${ESC}]*(?:${BEL}|${ESC}\\\\)?|[@-_])`, 'g');
const CONTROLS = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;
const SHOWN_TAIL = 20_000;

/** The last line of a text that says anything, fit to be shown: no control characters, at most 300 characters. */
export function lastLineOf(text: string): string {
  const lines = text
    .slice(-SHOWN_TAIL)
    .replace(ESCAPES, '')
    .split(/[\r\n]+/);
  for (const line of lines.reverse()) {
    const shown = clean(line);
    if (shown !== '') return shorten(shown, MAX_LINE_CHARACTERS);
  }
  return '';
}

/** A whole message on one line, fit to be shown. */
export function onOneLine(text: string): string {
  return shorten(clean(text.slice(0, SHOWN_TAIL).replace(ESCAPES, '')), MAX_LINE_CHARACTERS);
}

/** A name the program gave (model, tool, session), bounded and without control characters. */
export function nameOf(text: string): string {
  return clean(text.slice(0, MAX_NAME_CHARACTERS * 2)).slice(0, MAX_NAME_CHARACTERS);
}

/** A `line` observation, or none when the text says nothing. */
export function lineObservation(text: string): readonly AgentObservation[] {
  const shown = lastLineOf(text);
  return shown === '' ? [] : [{ kind: 'line', text: shown }];
}

const QUESTION =
  /[[(](?:y\/n|yes\/no|y\/n\/[a-z])[\])]|\(y\)es|press (?:enter|return|any key)|are you sure\b.*\?|do you (?:want|trust|allow|approve)\b.*\?|(?:enter|paste) (?:the |your )?(?:authorization |verification |api )?(?:code|key|password|token)\b|waiting for (?:your |user )?(?:input|approval|confirmation|authentication)|(?:visit|open) (?:the following|this) (?:url|link|page)|password:\s*$|passphrase\b.*:\s*$/i;

/** Whether plain text is a question to a person, who isn't there. */
export function isQuestion(text: string): boolean {
  return QUESTION.test(text.slice(-2_000));
}

function clean(text: string): string {
  return text.replace(CONTROLS, ' ').replace(/ {2,}/g, ' ').trim();
}

function shorten(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = text.slice(0, most - 1);
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}
