import { findProvider } from '@bailiwick/agent-providers';
import type { RoleExecution, RunManifest } from '@bailiwick/dispatch-state';
import { Role } from '@bailiwick/execution-identity';
import { DispatchError } from '../errors.ts';

const TRANSLATOR = 'translator';
const RUNNER = 'cli-wrapper';

/**
 * The one role execution that a translator is dispatched from: role, provider, runner and execution value equal those of the
 * manifest's assignment (TR-1). TRANSLATOR_NOT_CANONICAL for none or several; ProviderError for one that no wrapper supports.
 */
export function canonicalTranslator(manifest: RunManifest): RoleExecution {
  const matches = manifest.roleExecutions.filter((row) => isCanonical(row, manifest));
  const [only] = matches;
  if (only === undefined || matches.length > 1)
    throw new DispatchError(
      'TRANSLATOR_NOT_CANONICAL',
      `run ${manifest.runId} has ${matches.length} role executions that its translator's assignment names, not one`,
      {
        names: matches.map((row) => row.roleExecutionRef),
        hint: 'a run gets its translator from `team.translator` in the config when it is created',
      },
    );
  findProvider(only.provider);
  return only;
}

/** True for a job or record of the canonical translator in every field (TR-5). */
export function isCanonical(row: RoleExecution, { invocationAssignments }: RunManifest): boolean {
  const assignment = invocationAssignments[TRANSLATOR];
  return (
    assignment !== undefined &&
    assignment.runner === RUNNER &&
    row.role === Role.translator &&
    row.provider === assignment.provider &&
    row.binding?.runner === RUNNER &&
    row.binding.resolvedExecutionValue === assignment.modelExecutionValue
  );
}
