import { parseDigest } from '@bailiwick/durable-files';
import { makeContract, type WriteEnforcement, type WritePolicy } from '@bailiwick/write-policy';
import type {
  JobContract,
  JudgeInput,
  ObservedChange,
  ObservedGitChange,
  RepositoryProjection,
  TreeObservation,
} from '../../src/index.ts';

const DIGEST = parseDigest(`sha256:${'0'.repeat(64)}`);

/** One job in the project /p; an implementer of its whole worktree, without a boundary, where nothing else is said. */
export function job(
  name: string,
  o: { policy?: Partial<WritePolicy>; enforcement?: Partial<WriteEnforcement> } = {},
): JobContract {
  const policy: WritePolicy = {
    role: 'implementer',
    projectRoot: '/p',
    worktree: '/p',
    artifactPaths: [`/p/.bailiwick/out/${name}/result.json`],
    plannedPaths: [],
    auxiliaryRoots: [],
    git: 'none',
    ignored: 'free',
    scratch: [],
    maximumBoundaryPrecision: 'worktree',
    ...o.policy,
  };
  const enforcement: WriteEnforcement = {
    boundaryPrecision: 'none',
    mutationAudit: 'batch',
    boundary: 'none',
    wider: [],
    keyIsolation: 'none',
    scope: 'tree',
    ...o.enforcement,
  };
  return { dispatchId: `${name}:attempt-1`, label: `Worker ${name}`, contract: makeContract(policy, enforcement) };
}

/** A verifier that owes one artifact. */
export function verifier(
  name: string,
  enforcement: Partial<WriteEnforcement> = {},
  policy: Partial<WritePolicy> = {},
): JobContract {
  return job(name, {
    policy: { role: 'verifier', ignored: 'listed', maximumBoundaryPrecision: 'directory', ...policy },
    enforcement,
  });
}

export const CONFINED: Partial<WriteEnforcement> = { boundary: 'bubblewrap', boundaryPrecision: 'file' };
export const CALL: Partial<WriteEnforcement> = { ...CONFINED, mutationAudit: 'call', scope: 'write-roots' };

/** A change of a file in /p. */
export function change(path: string, o: Partial<ObservedChange> = {}): ObservedChange {
  return {
    path: path.startsWith('/') ? path : `/p/${path}`,
    root: '/p',
    kind: 'modified',
    fileType: 'file',
    beforeDigest: null,
    afterDigest: null,
    ignored: false,
    tracked: true,
    ...o,
  };
}

/** A change of git's state in /p. */
export function gitChange(o: Partial<ObservedGitChange>): ObservedGitChange {
  return {
    root: '/p',
    repository: '/p/.git',
    nested: false,
    ignored: false,
    what: 'config',
    name: 'config',
    before: 'a',
    after: 'b',
    path: '/p/.git/config',
    ...o,
  };
}

const CHECKOUT: RepositoryProjection = {
  root: '/p',
  repository: '/p/.git',
  head: 'ref: refs/heads/main',
  tip: '1'.repeat(40),
  refs: DIGEST,
  index: 'unchanged',
  control: DIGEST,
};

/** What was observed; nothing where nothing is said. */
function observation(o: Partial<TreeObservation> = {}): TreeObservation {
  const projection = { repositories: [CHECKOUT] };
  return {
    changes: [],
    git: [],
    unverifiable: [],
    traces: [],
    beforeDigest: DIGEST,
    afterDigest: DIGEST,
    gitProjection: { before: projection, after: projection },
    aliased: [],
    durationMs: 1,
    ...o,
  };
}

/** An attempt that went well, alone in its batch where nothing is said. */
export function input(self: JobContract, seen: Partial<TreeObservation>, o: Partial<JudgeInput> = {}): JudgeInput {
  return {
    observation: observation(seen),
    self,
    batch: [self],
    declaredEdits: new Map([[self.dispatchId, []]]),
    attemptFailed: false,
    resultPresent: true,
    ...o,
  };
}
