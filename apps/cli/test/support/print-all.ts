import type { Output, OutputOptions } from '../../src/output.ts';

/** Prints everything that a command can print, as the flags say. */
export function printAll(flags: readonly string[], create: (options: OutputOptions) => Output): void {
  const output = create({
    json: flags.includes('--json'),
    quiet: flags.includes('--quiet'),
    verbose: flags.includes('--verbose'),
  });
  output.progress('on its way');
  if (flags.includes('--fail'))
    output.error(
      { code: 'X', message: 'it failed', path: '/there', hint: 'mend it', exitCode: 2 },
      new Error('it failed'),
    );
  else
    output.result<'run-apply'>({ runId: 'two\nlines', applied: ['a'], unchanged: [] }, () => [
      output.colors.green('one'),
      'two',
    ]);
}
