import { checkModelPool, type ModelPoolEntry, resolveAssignment } from '@bailiwick/assignment-resolution';
import {
  commandsOf,
  environmentOf,
  isRunError,
  loadConfig,
  type ProjectConfig,
  poolOf,
  poolRowsOf,
} from '@bailiwick/run-workflow';
import type { CommonFlags } from '../common-flags.ts';
import { ExitCode } from '../exit-code.ts';
import { projectOf } from '../find-project.ts';
import type { Output } from '../output.ts';
import { table } from '../render/table.ts';
import { surroundingsOfProcess } from '../surroundings.ts';

const NO_CONFIG: ProjectConfig = { schemaVersion: '1.0', team: { implementer: { model: 'none' }, verifiers: [] } };

/** Every model of the pool, shipped and added. */
export async function modelsList(output: Output, flags: CommonFlags): Promise<ExitCode> {
  const config = await configOrNone(flags);
  const environment = await environmentOf(config, surroundingsOfProcess());
  const { entries } = poolOf(config);
  output.result<'models-list'>({ hostId: environment.host.hostId, models: entries }, () =>
    table(
      entries.map((entry) => [
        entry.modelRef,
        entry.versionKind,
        entry.channelFamily ?? '',
        installed(entry, environment.providers),
      ]),
    ),
  );
  return ExitCode.done;
}

/** What a ref resolves to on this host; the error says why it doesn't. */
export async function modelsResolve(output: Output, flags: CommonFlags, ref = ''): Promise<ExitCode> {
  const config = await configOrNone(flags);
  const environment = await environmentOf(config, surroundingsOfProcess());
  const assignment = resolveAssignment({
    role: 'implementer',
    ordinal: 1,
    modelRef: ref,
    pool: poolOf(config),
    environment,
  });
  const command = commandsOf(config)[assignment.providerId];
  output.result<'models-resolve'>({ ...assignment, command: command ?? null }, () =>
    table([
      ['model', assignment.modelRef],
      ['provider', assignment.providerId],
      ['runner', assignment.binding.runner],
      ['value', assignment.binding.resolvedExecutionValue],
      ['digest', assignment.modelSpecDigest],
    ]),
  );
  return ExitCode.done;
}

/** Every row of the pool, shipped and added, that can't be used, and why; exit 1 where there is one. */
export async function modelsCheck(output: Output, flags: CommonFlags): Promise<ExitCode> {
  const rows = poolRowsOf(await configOrNone(flags));
  const findings = checkModelPool(rows);
  output.result<'models-check'>({ holds: findings.length === 0, rows: rows.length, findings }, () =>
    checkLines(rows, findings),
  );
  return findings.length === 0 ? ExitCode.done : ExitCode.failed;
}

function checkLines(rows: readonly unknown[], findings: ReturnType<typeof checkModelPool>): readonly string[] {
  if (findings.length === 0) return [`${rows.length} rows, all usable`];
  const lines = findings.flatMap(({ row, modelRef, issues }) =>
    issues.map((issue) => [`row ${row}`, modelRef ?? 'no ref', issue.path, issue.message]),
  );
  return table(lines);
}

function installed(entry: ModelPoolEntry, providers: ReadonlyMap<string, { readonly installed: boolean }>): string {
  return providers.get(entry.providerId)?.installed === true ? 'installed' : 'not installed';
}

async function configOrNone(flags: CommonFlags): Promise<ProjectConfig> {
  try {
    return await loadConfig((await projectOf(flags)).root);
  } catch (error) {
    // Without a project, or without a config, there is the shipped pool; a config that can't be used is said.
    if (isRunError(error) && error.code !== 'CONFIG_INVALID') return NO_CONFIG;
    throw error;
  }
}
