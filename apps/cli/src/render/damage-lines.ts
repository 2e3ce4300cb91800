import type { Damage } from '@bailiwick/run-workflow';
import type { Output } from '../output.ts';

/** One line for each document that can't be read. */
export function damageLines(unreadable: readonly Damage[], colors: Output['colors']): readonly string[] {
  return unreadable.map(({ path, code, message }) => `${colors.red("can't be read")} ${path}: ${message} [${code}]`);
}
