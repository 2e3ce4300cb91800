import { decidePath, type PathDecision } from '@bailiwick/write-policy';
import type {
  AuditViolation,
  ChangedPath,
  ExternalChange,
  JobContract,
  JudgeInput,
  ObservedChange,
  PathName,
  UnchargedArea,
  ViolationCode,
} from '../model.ts';
import { displayPath } from '../path-name.ts';
import { foldersAbove, pathText, projectPath } from './audit-paths.ts';
import { declaredPaths } from './declared-edits.ts';
import { addresseeOf, pathMessage } from './messages.ts';
import type { Authorship, Writers } from './writers.ts';

/** A violation, and whether it is known that the judged job committed it. */
export interface Charge {
  readonly violation: AuditViolation;
  readonly isKnown: boolean;
}

/** What the judgement of all changed paths yields. */
export interface PathJudgement {
  readonly changedPaths: readonly ChangedPath[];
  readonly charges: readonly Charge[];
  readonly external: readonly ExternalChange[];
  readonly uncharged: readonly UnchargedArea[];
  /** Source changed, by the judged job or not provably by another. */
  readonly isSourceChanged: boolean;
}

/** Judges every changed path of an observation against the policies of all jobs of the batch (MA-9). */
export function judgePaths(input: JudgeInput, writers: Writers): PathJudgement {
  const judge = new PathJudge(input, writers);
  for (const change of input.observation.changes) judge.add(change);
  return judge.judgement();
}

/** How many paths of a free area are named. */
const MAX_UNCHARGED = 50;

const CODES: Readonly<Partial<Record<PathDecision['area'], ViolationCode>>> = {
  'out-of-plan': 'out-of-plan',
  'protected-ignored': 'protected-ignored',
  never: 'never-writable',
  orchestrator: 'orchestrator-tampered',
};

class PathJudge {
  readonly #input: JudgeInput;
  readonly #writers: Writers;
  readonly #declared: ReadonlyMap<string, JobContract>;
  readonly #madeFor: ReadonlySet<string>;
  readonly #projectRoot: string;
  readonly #changed: ChangedPath[] = [];
  readonly #charges: Charge[] = [];
  readonly #external: ExternalChange[] = [];
  readonly #uncharged = new Map<UnchargedArea['area'], { count: number; paths: PathName[] }>();
  #isSourceChanged = false;

  constructor(input: JudgeInput, writers: Writers) {
    this.#input = input;
    this.#writers = writers;
    this.#projectRoot = input.self.contract.policy.projectRoot;
    this.#declared = declaredPaths(input);
    this.#madeFor = this.#foldersOfAllowed();
  }

  judgement(): PathJudgement {
    return {
      changedPaths: this.#changed,
      charges: this.#charges,
      external: this.#external,
      uncharged: [...this.#uncharged].map(([area, { count, paths }]) => ({ area, count, paths })),
      isSourceChanged: this.#isSourceChanged,
    };
  }

  add(change: ObservedChange): void {
    const owners = this.#ownersOf(change);
    const area = this.#freeArea(change, owners);
    const authorship = this.#writers.authorshipOf(change.path);
    const isMine = authorship.candidates.some(({ dispatchId }) => dispatchId === this.#input.self.dispatchId);
    const path = projectPath(change.path, this.#projectRoot);
    if (authorship.candidates.length === 0) {
      this.#external.push({ path, kind: change.kind, reason: 'no-worker-could' });
      return;
    }
    if (!isMine) return;
    if (area !== undefined) {
      this.#addUncharged(area, path);
      return;
    }
    this.#addChanged(change, { path, owners, authorship });
    if (this.#isSource(change)) this.#isSourceChanged = true;
    if (owners.length === 0) this.#charge(change, { path, authorship });
  }

  /** The jobs whose policy, plan or declaration allows the change. */
  #ownersOf(change: ObservedChange): readonly JobContract[] {
    const jobs = [...this.#input.batch, ...(this.#input.liveElsewhere ?? [])];
    const text = pathText(change.path);
    const owners = jobs.filter((job) => this.#decide(job, change).allowed || this.#declared.get(text) === job);
    return owners.length === 0 && isFolderMadeOrGone(change) && this.#madeFor.has(text) ? jobs : owners;
  }

  #decide(job: JobContract, change: ObservedChange): PathDecision {
    return decidePath(job.contract.policy, change.path, {
      ignored: change.ignored,
      folder: isFolderMadeOrGone(change),
      orchestrator: this.#input.orchestrator ?? [],
    });
  }

  /** A folder on the way to what somebody may write may be made with it, and go with it. */
  #foldersOfAllowed(): ReadonlySet<string> {
    const jobs = [...this.#input.batch, ...(this.#input.liveElsewhere ?? [])];
    const folders = new Set<string>();
    for (const change of this.#input.observation.changes) {
      const text = pathText(change.path);
      if (!jobs.some((job) => this.#decide(job, change).allowed) && !this.#declared.has(text)) continue;
      for (const folder of foldersAbove(text)) {
        if (folders.has(folder)) break;
        folders.add(folder);
      }
    }
    return folders;
  }

  /** The free place that a change lies in, where no job counts it as its source or artifact. */
  #freeArea(change: ObservedChange, owners: readonly JobContract[]): UnchargedArea['area'] | undefined {
    const areas = owners.map((job) => this.#decide(job, change)).filter(({ allowed }) => allowed);
    if (areas.length === 0 || areas.some(({ area }) => area === 'source' || area === 'artifact')) return undefined;
    return areas
      .map(({ area }) => area)
      .find((area) => area === 'ignored' || area === 'scratch' || area === 'auxiliary');
  }

  #isSource(change: ObservedChange): boolean {
    const jobs = [...this.#input.batch, ...(this.#input.liveElsewhere ?? [])];
    const areas = jobs.map((job) => this.#decide(job, change));
    if (areas.some(({ area, allowed }) => allowed && area !== 'source')) return false;
    if (isFolderMadeOrGone(change) && areas.every(({ area }) => area === 'never' || area === 'orchestrator'))
      return false;
    return areas.some(({ area }) => area !== 'never' && area !== 'orchestrator');
  }

  #addUncharged(area: UnchargedArea['area'], path: PathName): void {
    const known = this.#uncharged.get(area) ?? { count: 0, paths: [] };
    known.count += 1;
    if (known.paths.length < MAX_UNCHARGED) known.paths.push(path);
    this.#uncharged.set(area, known);
  }

  #addChanged(
    change: ObservedChange,
    o: { path: PathName; owners: readonly JobContract[]; authorship: Authorship },
  ): void {
    const ids = o.authorship.candidates.map(({ dispatchId }) => dispatchId);
    const owning = o.owners.map(({ dispatchId }) => dispatchId).filter((id) => ids.includes(id));
    this.#changed.push({
      path: o.path,
      kind: change.kind,
      attribution: o.authorship.grade,
      candidates: [...new Set([...owning, ...ids])],
      beforeDigest: change.beforeDigest,
      afterDigest: change.afterDigest,
    });
  }

  #charge(change: ObservedChange, { path, authorship }: { path: PathName; authorship: Authorship }): void {
    const { self } = this.#input;
    const code = CODES[this.#decide(self, change).area] ?? 'outside-policy';
    const message = pathMessage({
      shown: displayPath(path),
      kind: change.kind,
      authorship,
      ...addresseeOf(this.#input),
    });
    this.#charges.push({
      violation: { code, path, message },
      isKnown: authorship.author?.dispatchId === self.dispatchId,
    });
  }
}

function isFolderMadeOrGone(change: ObservedChange): boolean {
  return change.fileType === 'directory' && (change.kind === 'created' || change.kind === 'deleted');
}
