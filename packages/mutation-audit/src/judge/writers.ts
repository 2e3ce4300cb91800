import { boundaryAdmits, compileBoundary } from '@bailiwick/write-policy';
import { ATTRIBUTION_GRADES, type Attribution, type JobContract, type JudgeInput, type PathName } from '../model.ts';
import { pathText } from './audit-paths.ts';

/** Who could have written a path, and how sure that is. */
export interface Authorship {
  readonly candidates: readonly JobContract[];
  readonly grade: Attribution;
  /** The one known author (`call` or `exclusive`), else undefined. */
  readonly author: JobContract | undefined;
}

/**
 * Answers who could have written a path (MA-10). Only an operating-system boundary keeps a worker out of a path; an agent's own sandbox is
 * not proven, so it keeps nobody out. The boundary is taken as wide as the record allows, never narrower.
 */
export class Writers {
  readonly #all: readonly JobContract[];
  readonly #admits = new Map<string, (path: string) => boolean>();
  readonly #aliased: ReadonlySet<string>;
  readonly #claims: ReadonlyMap<string, readonly string[]>;

  constructor(input: JudgeInput) {
    this.#all = [...input.batch, ...(input.liveElsewhere ?? [])];
    this.#aliased = new Set(input.observation.aliased.map(pathText));
    this.#claims = input.claimedEdits ?? new Map();
    for (const job of this.#all) this.#admits.set(job.dispatchId, admitterOf(job, input.orchestrator ?? []));
  }

  couldWrite(job: JobContract, path: string): boolean {
    return this.#admits.get(job.dispatchId)?.(path) ?? true;
  }

  authorshipOf(path: PathName): Authorship {
    const text = pathText(path);
    // Through a link elsewhere anything may have written it; no boundary answers for that.
    if (this.#aliased.has(text)) {
      return { candidates: this.#all, grade: this.#isClaimed(text) ? 'claimed' : 'unattributed', author: undefined };
    }
    const candidates = this.#all.filter((job) => this.couldWrite(job, text));
    const [only] = candidates;
    if (only === undefined) return { candidates, grade: 'none', author: undefined };
    if (candidates.length > 1) return { candidates, grade: 'candidates', author: undefined };
    if (isConfined(only) && only.contract.enforcement.mutationAudit === 'call') {
      return { candidates, grade: 'call', author: only };
    }
    // One candidate alone proves nothing where no boundary kept another out: a person may have edited.
    if (this.#all.length === 1) return { candidates, grade: 'candidates', author: undefined };
    return { candidates, grade: 'exclusive', author: only };
  }

  #isClaimed(path: string): boolean {
    return [...this.#claims.values()].some((paths) => paths.includes(path));
  }
}

/** The weaker of two grades. */
export function weaker(a: Attribution, b: Attribution): Attribution {
  return ATTRIBUTION_GRADES.indexOf(a) < ATTRIBUTION_GRADES.indexOf(b) ? b : a;
}

function isConfined({ contract }: JobContract): boolean {
  return contract.enforcement.boundary === 'bubblewrap' && contract.enforcement.boundaryPrecision !== 'none';
}

function admitterOf(job: JobContract, orchestrator: readonly string[]): (path: string) => boolean {
  if (!isConfined(job)) return () => true;
  const { policy, enforcement } = job.contract;
  const layer = enforcement.layer !== undefined;
  const boundary = compileBoundary(policy, { precision: enforcement.boundaryPrecision, orchestrator, layer });
  const asRecorded = { writable: [...boundary.writable, ...enforcement.wider], readOnly: boundary.readOnly };
  return (path) => boundaryAdmits(asRecorded, path);
}
