import { homedir } from 'node:os';
import {
  type ConfigFound,
  commandsOf,
  examine,
  type Finding,
  isRunError,
  loadConfig,
  type Project,
} from '@bailiwick/run-workflow';
import type { CommonFlags } from '../common-flags.ts';
import { ExitCode } from '../exit-code.ts';
import { projectOf } from '../find-project.ts';
import type { Output } from '../output.ts';
import { attemptsFolder } from '../own-folders.ts';
import { table } from '../render/table.ts';
import { environmentOfProcess } from '../surroundings.ts';
import { cmuxFinding, printCmuxProbe } from './doctor-cmux.ts';

/** Flags of `doctor`. */
export interface DoctorFlags extends CommonFlags {
  readonly cmuxProbe?: boolean;
}

/** Checks what runs need here; exit 1 where something fails. */
export async function doctor(output: Output, flags: DoctorFlags): Promise<ExitCode> {
  if (flags.cmuxProbe === true) return printCmuxProbe(output);
  const { project, projectError } = await projectOrReason(flags);
  const config = project === null ? null : await configOf(project);
  const findings: readonly Finding[] = [
    ...(await examine({
      project,
      projectError,
      config,
      commands: config !== null && 'config' in config ? commandsOf(config.config) : {},
      path: process.env['PATH'] ?? '',
      nodeVersion: process.versions.node,
      platform: process.platform,
      attemptsFolder: attemptsFolder(),
      environment: environmentOfProcess(),
      userHome: process.env['HOME'] ?? homedir(),
    })),
    await cmuxFinding(),
  ];
  const holds = findings.every((finding) => finding.level !== 'fail');
  output.result<'doctor'>({ holds, findings }, () => findingLines(findings, output.colors));
  return holds ? ExitCode.done : ExitCode.failed;
}

async function projectOrReason(flags: CommonFlags): Promise<{ project: Project | null; projectError: string }> {
  try {
    return { project: await projectOf(flags), projectError: '' };
  } catch (error) {
    if (!isRunError(error)) throw error;
    return { project: null, projectError: error.message };
  }
}

/** A config that can't be used is a finding, and no reason to look at nothing else. */
async function configOf(project: Project): Promise<ConfigFound> {
  try {
    return { config: await loadConfig(project.root) };
  } catch (error) {
    if (error instanceof Error && 'code' in error) return { error };
    throw error;
  }
}

function findingLines(findings: readonly Finding[], colors: Output['colors']): readonly string[] {
  const word = { ok: colors.green('ok'), warn: colors.yellow('warn'), fail: colors.red('fail') };
  return table(
    findings.map(({ check, level, message, advice }) => [
      word[level],
      check,
      message,
      advice === '' ? '' : colors.dim(advice),
    ]),
  );
}
