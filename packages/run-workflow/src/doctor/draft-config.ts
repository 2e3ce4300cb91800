import {
  type AssignmentEnvironment,
  type ModelPool,
  type ModelPoolEntry,
  VersionKind,
} from '@bailiwick/assignment-resolution';
import { RunError } from '../errors.ts';
import type { ProjectConfig, Seat } from '../project/config.ts';

/** A config for the agents that are installed: the first implements and reports, another one verifies where there is one. */
export function draftConfig(pool: ModelPool, environment: AssignmentEnvironment): ProjectConfig {
  const seats = installedSeats(pool, environment);
  const [first, second = first] = seats;
  if (first === undefined || second === undefined)
    throw new RunError('NO_AGENT_FOUND', 'no agent CLI that can be dispatched is installed here', {
      hint: 'install Claude Code, Codex, Gemini CLI or another supported agent; `bailiwick doctor` lists them',
    });
  return {
    schemaVersion: '1.0',
    team: { implementer: first, verifiers: [second], reportWriter: first },
    isolation: 'tree',
  };
}

/** One seat per installed provider, on its first channel that this host can dispatch. */
function installedSeats(pool: ModelPool, environment: AssignmentEnvironment): readonly Seat[] {
  const installed = [...environment.providers.values()].filter((row) => row.installed && row.supported);
  return installed.flatMap(({ providerId }) => {
    const entry = pool.entries.find(
      (row) => row.providerId === providerId && isDispatchable(row, environment.host.hostId),
    );
    return entry === undefined ? [] : [{ model: entry.modelRef }];
  });
}

function isDispatchable(entry: ModelPoolEntry, hostId: string): boolean {
  return (
    entry.versionKind === VersionKind.channel &&
    entry.bindings.some((row) => row.hostId === hostId && row.runner === 'cli-wrapper')
  );
}
