import { parseAnchor, type RunVerification, selectRun, trustedKeys, verifyRun } from '@bailiwick/run-workflow';
import type { CommonFlags } from '../common-flags.ts';
import { ExitCode } from '../exit-code.ts';
import { projectOf } from '../find-project.ts';
import type { Output } from '../output.ts';
import { keyFolder } from '../own-folders.ts';

/** Flags of `run verify`. */
export interface VerifyFlags extends CommonFlags {
  /** Files of public keys; default: those of this user's key folder. */
  readonly key?: readonly string[];
  readonly anchor?: readonly string[];
  readonly requireSigned?: boolean;
}

/** Recomputes every digest of a run, offline; exit 1 where anything differs. */
export async function runVerify(output: Output, flags: VerifyFlags, named?: string): Promise<ExitCode> {
  const run = await selectRun(await projectOf(flags), named ?? flags.run, 'newest');
  const verification = await verifyRun(run, {
    publicKeys: await trustedKeys(flags.key ?? [], keyFolder()),
    anchors: (flags.anchor ?? []).map(parseAnchor),
    requireSigned: flags.requireSigned === true,
  });
  const holds = verification.differences.length === 0;
  output.result<'run-verify'>({ holds, ...verification }, () => verificationLines(verification, output.colors));
  return holds ? ExitCode.done : ExitCode.failed;
}

function verificationLines(found: RunVerification, colors: Output['colors']): readonly string[] {
  const { differences, verdicts, unaudited, seals, signed, unsigned, superseded, last } = found;
  const word =
    differences.length === 0
      ? colors.green('nothing differs')
      : colors.red(`${differences.length} ${differences.length === 1 ? 'differs' : 'differ'}`);
  return [
    `${colors.bold(found.runId)}  ${word}`,
    ...differences.map(({ code, file, message }) => `${colors.red(code)}  ${file}: ${message}`),
    '',
    `attempts ${found.attempts}${found.unsettled === 0 ? '' : `, ${found.unsettled} not settled yet`}`,
    `seals    ${seals}: ${signed} signed, ${unsigned} unsigned${superseded === 0 ? '' : `, ${superseded} superseded`}`,
    ...unaudited.map(({ dispatchId, workerId, status }) =>
      colors.yellow(`unaudited ${dispatchId} of ${workerId} (${status}): not sealed, and nobody knows what it changed`),
    ),
    ...(last === null
      ? []
      : [`last     ${last.digest} ${colors.dim('(noted elsewhere, nothing can be cut off unseen)')}`]),
    ...(unsigned === 0
      ? []
      : [colors.yellow('unsigned seals show damage and mistakes; whoever can write the run can make others')]),
    ...verdicts
      .filter(({ state }) => state !== 'current')
      .map(({ dispatchId, verdict, state, sourceDigest }) =>
        colors.yellow(
          `${state}    ${dispatchId} said "${verdict}" of ${sourceDigest ?? 'an unknown source'}, now ${found.sourceDigest ?? 'unknown'}`,
        ),
      ),
  ];
}
