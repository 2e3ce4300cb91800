const LONGEST_SHOWN = 80;

/** A value in a message: one line, bounded, never throwing whatever the value is. */
export function show(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (value === null || value === undefined || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value);
  if (typeof value === 'object') return Array.isArray(value) ? 'an array' : 'an object';
  return `a ${typeof value}`;
}

/** A text of someone else's in a message, without quotes: one line, bounded. */
export function printable(text: string): string {
  return quoted(text).slice(1, -1);
}

function quoted(text: string): string {
  const shown = text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
  // JSON.stringify escapes lone surrogates and C0; the rest of what could disturb a terminal is escaped here.
  return JSON.stringify(shown).replace(
    /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g,
    escapeUnit,
  );
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
