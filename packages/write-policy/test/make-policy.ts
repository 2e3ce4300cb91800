import {
  buildWritePolicy,
  dropBoxPath,
  orchestratorPaths,
  pathsToResolve,
  type WritePolicy,
  type WritePolicyRequest,
} from '../src/index.ts';

export const PROJECT = '/home/ann/shop';
export const STATE = `${PROJECT}/.git/bailiwick`;
export const BOX = dropBoxPath({ projectRoot: PROJECT, invocationRef: 'inv-1' });
export const ORCHESTRATOR = orchestratorPaths({ stateRoot: STATE, projectRoot: PROJECT, worktree: PROJECT });

export interface TestRequest extends Partial<WritePolicyRequest> {
  /** Links of the imagined disk: from a path to where it really leads. */
  readonly links?: Readonly<Record<string, string>>;
  readonly validated?: readonly string[];
}

/** A policy on an imagined disk without links, save those that are given. */
export function makePolicy({ links = {}, validated, ...given }: TestRequest = {}): WritePolicy {
  const request: WritePolicyRequest = {
    role: 'implementer',
    projectRoot: PROJECT,
    dropBox: BOX,
    artifactPaths: [`${BOX}/result.json`],
    orchestrator: ORCHESTRATOR,
    ...given,
  };
  const realPathOf = new Map(pathsToResolve(request).map((path) => [path, follow(path, links)]));
  const validatedAuxiliaryRoots = validated ?? request.auxiliaryRoots?.map(String) ?? [];
  return buildWritePolicy({ ...request, facts: { realPathOf, validatedAuxiliaryRoots } });
}

function follow(path: string, links: Readonly<Record<string, string>>): string {
  const link = Object.keys(links).find((from) => path === from || path.startsWith(`${from}/`));
  return link === undefined ? path : `${links[link]}${path.slice(link.length)}`;
}
