import type { CommandTool } from './tools.ts';

/**
 * The command line of a call; pure. A value is never taken for a flag: flags have theirs behind an equals sign, arguments stand after `--`.
 * The input has been checked against the tool's schema.
 */
export function argumentsOf(
  { words, positional }: CommandTool,
  input: Readonly<Record<string, unknown>>,
  o: { readonly project: string | undefined },
): readonly string[] {
  const named = { ...(o.project === undefined ? {} : { project: o.project }), ...input };
  const flags = Object.entries(named).filter(([name]) => !positional.includes(name));
  const given = positional.flatMap((name) => input[name] ?? []).map(String);
  return [...words, '--json', ...flags.flatMap(flagOf), ...(given.length === 0 ? [] : ['--', ...given])];
}

function flagOf([name, value]: readonly [string, unknown]): readonly string[] {
  const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  switch (typeof value) {
    case 'string':
    case 'number':
      return [`${flag}=${value}`];
    case 'boolean':
      // `wait` is the one flag that is set unless it is taken away.
      return value ? [flag] : name === 'wait' ? ['--no-wait'] : [];
    default:
      return Array.isArray(value) ? [`${flag}=${value.join(',')}`] : [];
  }
}
