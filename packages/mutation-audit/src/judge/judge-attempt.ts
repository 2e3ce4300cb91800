import { decidePath } from '@bailiwick/write-policy';
import type { Attribution, AuditStatus, JudgeInput, MutationAudit, UnverifiablePath } from '../model.ts';
import { displayPath } from '../path-name.ts';
import { pathText, projectPath } from './audit-paths.ts';
import { type GitJudgement, judgeGit } from './judge-git.ts';
import { type Charge, judgePaths, type PathJudgement } from './judge-paths.ts';
import { Writers, weaker } from './writers.ts';

/**
 * Judges one attempt by what was observed, against the policies of all jobs of its batch (MA-2 to MA-6, MA-9, MA-10, MA-12, MA-14).
 * Pure: the same input gives the same audit.
 *
 * "Who did it is known" (MA-3, `contract-breached`) means grade `call` or `exclusive`. A job that is the only candidate but was not confined
 * is not known to have done it (a person may have edited): that is `contract-failed-unattributed`, with the job named as candidate.
 */
export function judgeAttempt(input: JudgeInput): MutationAudit {
  const writers = new Writers(input);
  const paths = judgePaths(input, writers);
  const git = judgeGit(input, writers);
  const tampered = judgeTampered(input, writers);
  const unverifiable = input.observation.unverifiable.filter((row) => concerns(input, writers, row));
  const charges = [...paths.charges, ...git.charges, ...tampered.charges];
  const status = verdictOf(input, { charges, isUnverifiable: unverifiable.length > 0, paths, git });
  const { projectRoot } = input.self.contract.policy;
  const changed = new Set(input.observation.changes.map(({ path }) => pathText(path)));
  return {
    status,
    changedPaths: paths.changedPaths,
    sourceChanged: paths.isSourceChanged,
    gitChanged: git.isGitChanged,
    attribution: paths.changedPaths.reduce<Attribution>((grade, path) => weaker(grade, path.attribution), git.grade),
    retryAllowed: status === 'failed-no-mutation',
    violations: [
      ...unverifiable.map((row) => unverifiableRow(row, projectRoot)),
      ...charges.map((row) => row.violation),
    ],
    beforeDigest: input.observation.beforeDigest,
    afterDigest: input.observation.afterDigest,
    gitProjection: input.observation.gitProjection,
    external: [...paths.external, ...git.external, ...tampered.external],
    uncharged: paths.uncharged,
    aliased: input.observation.aliased
      .filter((path) => changed.has(pathText(path)) || writers.couldWrite(input.self, pathText(path)))
      .slice(0, MAX_ALIASED)
      .map((path) => projectPath(path, projectRoot)),
    traces: input.observation.traces
      .slice(0, MAX_TRACES)
      .map(({ path, kind }) => ({ path: projectPath(path, projectRoot), kind })),
    scope: input.self.contract.enforcement.scope,
  };
}

/** The audit of an attempt that could not be compared at all (MA-7): bars completion, allows no retry. */
export function unverifiableAudit(reason: string, scope: 'tree' | 'write-roots' = 'tree'): MutationAudit {
  return {
    status: 'unverifiable',
    changedPaths: [],
    sourceChanged: false,
    gitChanged: false,
    attribution: 'none',
    retryAllowed: false,
    violations: [{ code: 'unverifiable', message: reason }],
    beforeDigest: null,
    afterDigest: null,
    gitProjection: null,
    external: [],
    uncharged: [],
    aliased: [],
    traces: [],
    scope,
  };
}

/** Traces are told for a reader's eye; a build touches thousands. */
const MAX_TRACES = 500;
const MAX_ALIASED = 200;

/** MA-3's verdicts, the first that applies. */
function verdictOf(
  input: JudgeInput,
  o: { charges: readonly Charge[]; isUnverifiable: boolean; paths: PathJudgement; git: GitJudgement },
): AuditStatus {
  if (o.isUnverifiable) return 'unverifiable';
  if (o.charges.some(({ isKnown }) => isKnown)) return 'contract-breached';
  if (o.charges.length > 0) return 'contract-failed-unattributed';
  if (!input.attemptFailed && input.resultPresent) return 'ok';
  return o.paths.isSourceChanged || o.git.isGitChanged ? 'mutation-present-unresolved' : 'failed-no-mutation';
}

/** What can't be compared concerns a job unless it could not have written there, or anyone may. */
function concerns(input: JudgeInput, writers: Writers, row: UnverifiablePath): boolean {
  if (!writers.couldWrite(input.self, pathText(row.path))) return false;
  const { allowed, area } = decidePath(input.self.contract.policy, row.path, { ignored: row.ignored });
  return !(allowed && (area === 'ignored' || area === 'scratch' || area === 'auxiliary'));
}

function unverifiableRow({ path, reason }: UnverifiablePath, projectRoot: string): MutationAudit['violations'][number] {
  const shown = projectPath(path, projectRoot);
  return {
    code: 'unverifiable',
    path: shown,
    message: `${displayPath(shown)} could not be compared: ${reason}. What can't be compared is not taken as unchanged.`,
  };
}

function judgeTampered(
  input: JudgeInput,
  writers: Writers,
): { charges: readonly Charge[]; external: MutationAudit['external'] } {
  const { projectRoot } = input.self.contract.policy;
  const charges: Charge[] = [];
  const external: MutationAudit['external'][number][] = [];
  for (const { path, message } of input.orchestratorTampered ?? []) {
    const shown = projectPath(path, projectRoot);
    const { candidates, author } = writers.authorshipOf(path);
    if (candidates.length === 0) external.push({ path: shown, kind: 'modified', reason: 'no-worker-could' });
    else if (candidates.some(({ dispatchId }) => dispatchId === input.self.dispatchId)) {
      const isKnown = author?.dispatchId === input.self.dispatchId;
      charges.push({ violation: { code: 'orchestrator-tampered', path: shown, message }, isKnown });
    }
  }
  return { charges, external };
}
