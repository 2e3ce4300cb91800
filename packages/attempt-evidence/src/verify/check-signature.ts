import type { KeyObject } from 'node:crypto';
import type { Dsse } from '../seal/dsse.ts';
import type { SealDifference } from './difference.ts';
import type { FiledSeal } from './read-chain.ts';

/** What signatures are checked with. */
export interface SignatureRules {
  /** By key id. */
  readonly keys: ReadonlyMap<string, KeyObject>;
  readonly acceptUnsigned: boolean;
  readonly dsse: Dsse;
}

/** What is wrong with the signature of a seal: nothing, or one thing; pure. */
export function checkSignature(filed: FiledSeal, rules: SignatureRules): readonly SealDifference[] {
  const { signing } = filed.seal.statement.predicate;
  const [signature] = filed.seal.envelope.signatures;
  if (signing.algorithm === 'none') {
    if (signature !== undefined) return [bad(filed, 'carries a signature although it says that it is unsigned')];
    return rules.acceptUnsigned ? [] : [difference('unsigned', filed, `is not signed: ${signing.reason}`)];
  }
  if (signature === undefined) return [bad(filed, 'says that it is signed and carries no signature')];
  if (signature.keyid !== signing.keyId)
    return [bad(filed, 'names another key beside its signature than in its statement')];
  return checkKey(filed, signing.keyId, rules);
}

function checkKey(filed: FiledSeal, keyId: string, { keys, dsse }: SignatureRules): readonly SealDifference[] {
  const key = keys.get(keyId);
  if (key === undefined) {
    const known = keys.size === 0 ? 'no key was given to verify with' : `known are ${[...keys.keys()].join(', ')}`;
    return [{ ...difference('key-unknown', filed, `is signed with key ${keyId}; ${known}`), found: keyId }];
  }
  return dsse.isSignedBy(filed.seal.envelope, key) ? [] : [bad(filed, `is not what key ${keyId} signed`)];
}

function bad(filed: FiledSeal, message: string): SealDifference {
  return difference('signature-bad', filed, message);
}

function difference(code: SealDifference['code'], { file }: FiledSeal, message: string): SealDifference {
  return { code, file, message };
}
