import { documentIssuesOf, type JsonValue } from '@bailiwick/durable-files';
import type { z } from 'zod';
import { type PolicyIssue, WritePolicyError, type WritePolicyErrorCode } from '../errors.ts';
import type { WriteEnforcement, WritePolicy } from '../model.ts';
import { isNormalized, textProblem } from '../paths/path-name.ts';
import { policyProblems } from '../policy/policy-problems.ts';
import { WriteEnforcementV1, WritePolicyV1 } from './v1.ts';

/** The canonical payload of a policy: exactly its fields, lists in their order. */
export function encodePolicy(policy: WritePolicy): JsonValue {
  return { ...WritePolicyV1.parse(policy) };
}

/**
 * The policy of a payload; encoding it again gives an equal payload. Every rule that needs no disk is checked anew.
 *
 * @param where names the document in messages
 * @throws WritePolicyError POLICY_INVALID with `issues`
 */
export function decodePolicy(payload: unknown, where = 'the write policy'): WritePolicy {
  const policy = parse(WritePolicyV1, payload, 'POLICY_INVALID', where);
  const issues = policyProblems(policy).map(({ pointer, message }) => ({ path: pointer, message }));
  if (issues.length > 0) throw invalid('POLICY_INVALID', where, issues);
  return policy;
}

/** The canonical payload of an enforcement. */
export function encodeEnforcement(enforcement: WriteEnforcement): JsonValue {
  return { ...WriteEnforcementV1.parse(enforcement) };
}

/**
 * The enforcement of a payload; refuses one that claims more than its boundary can hold.
 *
 * @throws WritePolicyError ENFORCEMENT_INVALID with `issues`
 */
export function decodeEnforcement(payload: unknown, where = 'the write enforcement'): WriteEnforcement {
  const enforcement = parse(WriteEnforcementV1, payload, 'ENFORCEMENT_INVALID', where);
  const issues = enforcementIssues(enforcement);
  if (issues.length > 0) throw invalid('ENFORCEMENT_INVALID', where, issues);
  return enforcement;
}

function enforcementIssues(enforcement: WriteEnforcement): readonly PolicyIssue[] {
  const issues: PolicyIssue[] = [];
  const { boundary, boundaryPrecision, mutationAudit, scope, wider, boundaryReason, unheld } = enforcement;
  const { layer, layerReason } = enforcement;
  const refuse = (path: string, message: string) => issues.push({ path, message });
  if ((boundary === 'none') !== (boundaryPrecision === 'none'))
    refuse('/boundaryPrecision', `${boundaryPrecision} does not go with the boundary ${boundary}`);
  if (mutationAudit === 'call' && boundary !== 'bubblewrap')
    refuse('/mutationAudit', `call needs an operating-system boundary, not ${boundary}`);
  if ((mutationAudit === 'call') !== (scope === 'write-roots'))
    refuse('/scope', `${scope} does not go with an audit by ${mutationAudit}`);
  if (boundary === 'bubblewrap' && boundaryReason !== undefined)
    refuse('/boundaryReason', 'there is a boundary, so there is no reason why there is none');
  if (boundary !== 'bubblewrap' && unheld !== undefined)
    refuse('/unheld', `belongs to an operating-system boundary, not to ${boundary}`);
  if (boundary !== 'bubblewrap' && (layer !== undefined || layerReason !== undefined))
    refuse('/layer', `belongs to an operating-system boundary, not to ${boundary}`);
  if (layer !== undefined && layerReason !== undefined)
    refuse('/layerReason', 'there is a layer, so there is no reason why there is none');
  for (const [at, path] of wider.entries()) {
    const problem = textProblem(path)?.message ?? (isNormalized(path) ? undefined : 'is not absolute and normalized');
    if (problem !== undefined) refuse(`/wider/${at}`, `${path} ${problem}`);
  }
  return issues;
}

function parse<T>(schema: z.ZodType<T>, payload: unknown, code: WritePolicyErrorCode, where: string): T {
  const result = schema.safeParse(payload);
  if (result.success) return result.data;
  throw invalid(code, where, documentIssuesOf(result.error.issues), result.error);
}

function invalid(
  code: WritePolicyErrorCode,
  where: string,
  issues: readonly PolicyIssue[],
  cause?: unknown,
): WritePolicyError {
  const list = issues.map(({ path, message }) => `${path === '' ? '/' : path}: ${message}`).join('; ');
  return new WritePolicyError(code, `${where} is invalid: ${list}`, {
    issues,
    ...(cause === undefined ? {} : { cause }),
  });
}
