import { type Digest, digestOfDocument, isDigest } from '@bailiwick/durable-files';
import { WritePolicyError } from './errors.ts';
import type { WriteContract, WriteEnforcement, WritePolicy } from './model.ts';
import { decodeEnforcement, decodePolicy, encodeEnforcement, encodePolicy } from './wire/index.ts';

/** One digest over policy and enforcement together (WP-1): canonical JSON of both payloads under their stored names. */
export function policyDigest(policy: WritePolicy, enforcement: WriteEnforcement): Digest {
  return digestOfDocument({ writePolicy: encodePolicy(policy), writeEnforcement: encodeEnforcement(enforcement) });
}

/** Policy and enforcement with their digest, as they are stored with the invocation before its launch. */
export function makeContract(policy: WritePolicy, enforcement: WriteEnforcement): WriteContract {
  return { policy, enforcement, digest: policyDigest(policy, enforcement) };
}

/** The fields of an invocation's document that hold its contract. */
export interface StoredContract {
  readonly writePolicy?: unknown;
  readonly writePolicyDigest?: unknown;
  readonly writeEnforcement?: unknown;
}

/**
 * The contract that was stored (WP-6): what a later attempt and the settlement go by.
 *
 * @param where names the document in messages, its path best
 * @throws WritePolicyError CONTRACT_MISSING, POLICY_INVALID, ENFORCEMENT_INVALID, POLICY_DIGEST_CHANGED
 */
export function loadContract(stored: StoredContract, where = 'the invocation'): WriteContract {
  for (const field of ['writePolicy', 'writePolicyDigest', 'writeEnforcement'] as const) {
    if (stored[field] === undefined || stored[field] === null) {
      throw new WritePolicyError('CONTRACT_MISSING', `${where} has no ${field}: no write contract was stored`, {
        path: where,
        hint: 'dispatch again under a new invocation',
      });
    }
  }
  const contract = makeContract(
    decodePolicy(stored.writePolicy, `the write policy of ${where}`),
    decodeEnforcement(stored.writeEnforcement, `the write enforcement of ${where}`),
  );
  if (!isDigest(stored.writePolicyDigest) || stored.writePolicyDigest !== contract.digest)
    throw changed(where, stored, contract);
  return contract;
}

function changed(where: string, stored: StoredContract, contract: WriteContract): WritePolicyError {
  return new WritePolicyError(
    'POLICY_DIGEST_CHANGED',
    `the write contract of ${where} changed after it was stored: it digests to ${contract.digest}, stored is ${String(stored.writePolicyDigest)}`,
    { path: where, hint: 'trust nothing that ran under it; dispatch again under a new invocation' },
  );
}
