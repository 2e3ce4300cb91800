import { readFile } from 'node:fs/promises';
import { resolvePaths } from '@bailiwick/dispatch';
import { mapSystemError } from '@bailiwick/durable-files';
import {
  buildWritePolicy,
  decodePolicy,
  makeContract,
  orchestratorPaths,
  pathsToResolve,
  planEnforcement,
  type WriteContract,
  type WritePolicy,
  type WritePolicyRequest,
} from '@bailiwick/write-policy';
import { RunError } from '../errors.ts';
import type { Project } from '../project/find-project.ts';

/** What a command may write: patterns below the project (none of them: nothing at all), or a file with a whole policy. */
export type CommandPermission =
  | { readonly kind: 'allow'; readonly patterns: readonly string[] }
  /** Absolute. A write policy as invocations store it (`@bailiwick/write-policy/schema`). */
  | { readonly kind: 'policy-file'; readonly path: string };

/**
 * The contract that a command of no run is judged by. Nothing confines it: the audit alone tells.
 *
 * Throws WritePolicyError for patterns and policies that can't be, RunError POLICY_FILE_INVALID for what holds none.
 */
export async function commandContract(project: Project, permission: CommandPermission): Promise<WriteContract> {
  const policy =
    permission.kind === 'allow'
      ? await allowedPatterns(project, permission.patterns)
      : await storedPolicy(project, permission.path);
  const enforcement = planEnforcement({
    policy,
    capability: { maxBoundaryPrecision: policy.maximumBoundaryPrecision },
    boundary: 'none',
    boundaryPrecision: 'none',
  });
  return makeContract(policy, enforcement);
}

/** An empty plan would mean the whole work tree; a role that implements nothing has none. */
async function allowedPatterns(project: Project, patterns: readonly string[]): Promise<WritePolicy> {
  const request: WritePolicyRequest = {
    role: patterns.length === 0 ? 'verifier' : 'implementer',
    projectRoot: project.root,
    plannedPaths: patterns,
    orchestrator: commandOrchestratorPaths(project),
  };
  return buildWritePolicy({ ...request, facts: { realPathOf: await resolvePaths(pathsToResolve(request)) } });
}

/** What is bailiwick's own in a project: never granted, and left out of the comparison. */
export function commandOrchestratorPaths({ stateRoot, root, gitCommonDirectory }: Project): readonly string[] {
  return orchestratorPaths({
    stateRoot,
    projectRoot: root,
    worktree: root,
    ...(gitCommonDirectory === null ? {} : { gitCommonDir: gitCommonDirectory }),
  });
}

async function storedPolicy(project: Project, path: string): Promise<WritePolicy> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw mapSystemError(error, path, 'read');
  });
  const policy = decodePolicy(parseJson(text, path), path);
  if (policy.projectRoot === project.root) return policy;
  throw new RunError('POLICY_FILE_INVALID', `the policy is for ${policy.projectRoot}, the project is ${project.root}`, {
    path,
    hint: 'name the project of the policy with --project',
  });
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new RunError('POLICY_FILE_INVALID', 'the policy file is no JSON', {
      path,
      hint: 'write one by the JSON Schema of @bailiwick/write-policy, or use --allow',
      cause,
    });
  }
}
