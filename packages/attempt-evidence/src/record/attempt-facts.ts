import type { DispatchRecord } from '@bailiwick/dispatch-state';
import type { AttemptFacts, NamedDigest, SealedAudit, SealedServedModel } from '../model.ts';

/** What a seal says of an attempt (EV-3), from its record; pure. */
export function attemptFactsOf(record: DispatchRecord): AttemptFacts {
  return {
    identity: identityOf(record),
    status: record.status,
    startedAt: record.dispatchedAt,
    finishedAt: record.finishedAt,
    model: {
      provider: record.provider,
      modelRef: record.modelRef,
      modelSpecDigest: record.modelSpecDigest,
      executionValue: record.modelExecutionValue,
    },
    servedModel: servedModelOf(record),
    session: { given: record.sessionId, reported: record.reportedSessionId },
    policyDigest: record.writePolicyDigest,
    enforcement: enforcementOf(record),
    promptDigest: record.inputDigest,
    sourceDigest: record.sourceDigest,
    lifecycle: lifecycleOf(record),
    audit: auditOf(record),
    result: resultOf(record),
  };
}

/** The artifacts of an attempt as the copies made at settlement, by their names in the run's folder (MA-13). */
export function artifactsOf({ result }: DispatchRecord): readonly NamedDigest[] {
  return (result?.artifacts ?? []).map(({ copy, digest }) => ({ name: copy, digest }));
}

// Field by field, here and below: what a later record holds besides is not part of this version of the predicate.
function identityOf(record: DispatchRecord): AttemptFacts['identity'] {
  const { runId, dispatchId, invocationId, participantRef, roleExecutionRef, invocationRef } = record;
  const { executionLabel, dutyId, attempt, role } = record;
  return {
    ...{ runId, dispatchId, invocationId, participantRef, roleExecutionRef, invocationRef },
    ...{ executionLabel, dutyId, attempt, role },
  };
}

function servedModelOf({ servedModel }: DispatchRecord): SealedServedModel | null {
  if (servedModel === null) return null;
  const { level, normalizedModelRef, reported, source, turns, deviation } = servedModel;
  return { level, normalizedModelRef, reported, source, turns, deviates: deviation !== undefined };
}

function enforcementOf({ writeEnforcement }: DispatchRecord): AttemptFacts['enforcement'] {
  const { boundaryPrecision, mutationAudit, boundary, wider, keyIsolation, scope } = writeEnforcement;
  return { boundaryPrecision, mutationAudit, boundary, wider, keyIsolation, scope };
}

function lifecycleOf({ lifecycle }: DispatchRecord): AttemptFacts['lifecycle'] {
  if (lifecycle === null) return null;
  const { end, endProof, exitCode, signal, endEvidence } = lifecycle;
  return { end, endProof, exitCode, signal, endEvidence };
}

function auditOf({ contract }: DispatchRecord): SealedAudit | null {
  const audit = contract?.audit ?? null;
  if (audit === null) return null;
  const { status, attribution, scope, sourceChanged, gitChanged, beforeDigest, afterDigest } = audit;
  return {
    ...{ verdict: status, attribution, scope, sourceChanged, gitChanged, beforeDigest, afterDigest },
    changedPaths: audit.changedPaths.map((row) => ({
      ...{ path: row.path, kind: row.kind, attribution: row.attribution, candidates: row.candidates },
      ...{ beforeDigest: row.beforeDigest, afterDigest: row.afterDigest },
    })),
    violations: audit.violations.map(({ code, path, message }) =>
      path === undefined ? { code, message } : { code, path, message },
    ),
  };
}

function resultOf({ result }: DispatchRecord): AttemptFacts['result'] {
  if (result === null) return null;
  const { isTaken, verdict, missing } = result;
  return { isTaken, verdict, missing };
}
