import { draftConfig, environmentOf, type ProjectConfig, poolOf, saveNewConfig } from '@bailiwick/run-workflow';
import type { CommonFlags } from '../common-flags.ts';
import { ExitCode } from '../exit-code.ts';
import { projectOf } from '../find-project.ts';
import type { Output } from '../output.ts';
import { surroundingsOfProcess } from '../surroundings.ts';
import { confirm } from './confirm.ts';

const NO_CONFIG: ProjectConfig = { schemaVersion: '1.0', team: { implementer: { model: 'none' }, verifiers: [] } };

/** Looks for agent CLIs and writes a config for those that are here; asks first on a terminal. */
export async function init(output: Output, flags: CommonFlags & { readonly yes?: boolean }): Promise<ExitCode> {
  const project = await projectOf(flags);
  const config = draftConfig(poolOf(NO_CONFIG), await environmentOf(NO_CONFIG, surroundingsOfProcess()));
  const isWanted =
    flags.yes === true || output.isJson || (await confirm(`${describe(config).join('\n')}\nWrite this?`));
  if (!isWanted) return ExitCode.done;
  const path = await saveNewConfig(project.root, config);
  output.result<'init'>({ path, config }, () => [`wrote ${path}`, ...describe(config)]);
  return ExitCode.done;
}

function describe({ team }: ProjectConfig): readonly string[] {
  return [
    `  implementer    ${team.implementer.model}`,
    ...team.verifiers.map((seat, index) => `  verifier-${index + 1}     ${seat.model}`),
    ...(team.reportWriter === undefined ? [] : [`  report-writer  ${team.reportWriter.model}`]),
  ];
}
