import type { CommonFlags } from '../common-flags.ts';
import { COMPLETION_SCRIPTS, SHELLS } from '../completion/shell-scripts.ts';
import { ExitCode } from '../exit-code.ts';
import type { Output } from '../output.ts';

/** Prints what a shell is to source. */
export async function completion(output: Output, _: CommonFlags, named?: string): Promise<ExitCode> {
  // The parser lets nothing else through.
  const shell = SHELLS.find((one) => one === named) ?? 'bash';
  const script = COMPLETION_SCRIPTS[shell];
  output.result<'completion'>({ shell, script }, () => [script.trimEnd()]);
  return ExitCode.done;
}
