import { isAbsolute, join, normalize } from 'node:path';
import { decidePath } from '@bailiwick/write-policy';
import type { JobContract, JudgeInput } from '../model.ts';
import { isInside } from './audit-paths.ts';

/**
 * The files that an implementer's JSON result declares as edited outside its plan (MA-4, `implementation.outOfPlanEdits[].file`).
 * Each well-formed row counts by itself; anything else is passed over.
 */
export function readDeclaredEdits(result: unknown): readonly string[] {
  const rows = memberOf(memberOf(result, 'implementation'), 'outOfPlanEdits');
  if (!Array.isArray(rows)) return [];
  return rows.map((row: unknown) => memberOf(row, 'file')).filter(isFileName);
}

/**
 * Path → the implementer whose declaration covers it: only inside its own worktree and only where its plan is what stands against it. What
 * the orchestrator or nobody may write, or what another job owns, no declaration opens.
 */
export function declaredPaths(input: JudgeInput): ReadonlyMap<string, JobContract> {
  const found = new Map<string, JobContract>();
  for (const job of input.batch) {
    for (const file of input.declaredEdits.get(job.dispatchId) ?? []) {
      const path = declaredPath(job, file);
      if (path !== undefined && isOpen(input, job, path)) found.set(path, job);
    }
  }
  return found;
}

function declaredPath(job: JobContract, file: string): string | undefined {
  const { policy } = job.contract;
  if (policy.role !== 'implementer' || !isFileName(file)) return undefined;
  const path = isAbsolute(file) ? normalize(file) : join(policy.worktree, file);
  return path !== policy.worktree && isInside(path, policy.worktree) ? path : undefined;
}

function isOpen(input: JudgeInput, job: JobContract, path: string): boolean {
  const options = { orchestrator: input.orchestrator ?? [] };
  if (decidePath(job.contract.policy, path, options).area !== 'out-of-plan') return false;
  const others = [...input.batch, ...(input.liveElsewhere ?? [])].filter(
    (other) => other.dispatchId !== job.dispatchId,
  );
  return !others.some((other) => {
    const decision = decidePath(other.contract.policy, path, options);
    return decision.allowed && (decision.area === 'source' || decision.area === 'artifact');
  });
}

function memberOf(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.getOwnPropertyDescriptor(value, key)?.value;
}

function isFileName(value: unknown): value is string {
  return typeof value === 'string' && value.length > 0 && !value.includes('\0');
}
