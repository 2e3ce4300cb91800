import { access, constants, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { encodeAudit, sarifOf } from '@bailiwick/mutation-audit';
import { type AuditedCommand, auditCommand, type CommandPermission, RunError } from '@bailiwick/run-workflow';
import type { CommonFlags } from '../common-flags.ts';
import { reportOf } from '../error-report.ts';
import { ExitCode } from '../exit-code.ts';
import { projectOf } from '../find-project.ts';
import { whileListening } from '../interrupts.ts';
import type { Output } from '../output.ts';
import { ownVersion } from '../own-version.ts';
import { auditLines } from '../render/audit-lines.ts';
import { surroundingsOfProcess } from '../surroundings.ts';

/** Flags of `audit exec`. */
export interface AuditFlags extends CommonFlags {
  readonly allow?: readonly string[];
  readonly readOnly?: boolean;
  readonly policy?: string;
  readonly sarif?: string;
}

/** Runs any command under a write policy and prints what it changed. */
export async function auditExec(output: Output, flags: AuditFlags, ...argv: string[]): Promise<ExitCode> {
  const [program, ...args] = argv;
  if (program === undefined)
    throw new RunError('COMMAND_NOT_STARTED', 'no command is named', { hint: 'name it after --' });
  const permission = permissionOf(flags);
  if (flags.sarif !== undefined) await refuseUnwritable(resolve(flags.sarif));
  const project = await projectOf(flags);
  return whileListening(output, async ({ signal }) => {
    const { environment } = surroundingsOfProcess();
    const stdout = output.isJson ? 'stderr' : 'inherit';
    const command = { argv: [program, ...args], cwd: process.cwd(), environment, stdout, signal } as const;
    const audited = await auditCommand({ ...command, project, permission });
    const sarif = { path: flags.sarif, projectRoot: project.root };
    const problem = await writeSarif(audited, sarif).catch((error: unknown) => ({ error }));
    const lines = (): readonly string[] => auditLines(audited, output.colors);
    if (problem === undefined) output.result<'audit-exec'>(documentOf(audited), lines);
    else
      output.partial<'audit-exec'>(documentOf(audited), lines, {
        report: reportOf(problem.error),
        cause: problem.error,
      });
    if (problem !== undefined && !audited.end.isInterrupted) return ExitCode.failed;
    return exitCodeOf(audited);
  });
}

/** Exactly one of the three says what may be written: none would be a guess, two would contradict each other. */
function permissionOf({ allow = [], readOnly = false, policy }: AuditFlags): CommandPermission {
  if ([allow.length > 0, readOnly, policy !== undefined].filter(Boolean).length !== 1)
    throw new RunError(
      'POLICY_MISSING',
      'it takes one of --allow, --read-only and --policy to say what may be written',
      {
        hint: "for example: bailiwick audit exec --allow 'src/**' -- npm run format",
      },
    );
  return policy === undefined ? { kind: 'allow', patterns: allow } : { kind: 'policy-file', path: resolve(policy) };
}

/** A wrong path is told before the command has run, not after. */
async function refuseUnwritable(path: string): Promise<void> {
  try {
    await access(dirname(path), constants.W_OK);
  } catch (cause) {
    throw new RunError('SARIF_UNWRITABLE', 'the SARIF log cannot be written there', {
      path,
      hint: 'name a file in a folder that exists and that you may write to',
      cause,
    });
  }
}

/** The command has run by then: what it did is told whether the log can be written or not. */
async function writeSarif(
  { audit }: AuditedCommand,
  { path, projectRoot }: { readonly path: string | undefined; readonly projectRoot: string },
): Promise<undefined> {
  if (path === undefined) return;
  const log = sarifOf(audit, { toolName: 'bailiwick', toolVersion: ownVersion(), projectRoot });
  await writeFile(resolve(path), `${JSON.stringify(log, undefined, 2)}\n`);
}

/** Why it isn't known that all is gone stands among the violations. */
function documentOf({ command, end, contract, audit }: AuditedCommand) {
  const { exitCode, signal, isInterrupted, outlived, isGone } = end;
  const ended = { exitCode, signal, isInterrupted, outlived, isGone };
  return { command, ...ended, writePolicyDigest: contract.digest, audit: encodeAudit(audit) };
}

/** A command that failed under a clean audit still failed; its own code is in the JSON. */
function exitCodeOf({ end, audit }: AuditedCommand): ExitCode {
  if (end.isInterrupted) return ExitCode.interrupted;
  return audit.violations.length === 0 && end.exitCode === 0 ? ExitCode.done : ExitCode.failed;
}
