import type { SealStatement } from '../model.ts';
import type { ExpectedSeal } from '../record/expected-seal.ts';
import { sealFileOf } from '../store/seal-files.ts';
import type { SealDifference } from './difference.ts';
import { differingFields } from './differing-fields.ts';
import type { FiledSeal, ReadChain } from './read-chain.ts';

/** Whether the seals are those that the run's records lead to expect, and say the same of each attempt; pure. */
export function checkRecords(
  chain: ReadChain,
  { current, expected }: { readonly current: readonly FiledSeal[]; readonly expected: readonly ExpectedSeal[] },
): readonly SealDifference[] {
  const byKey = new Map(current.map((filed) => [filed.seal.statement.predicate.sealKey, filed]));
  return expected.flatMap((one) => {
    const filed = byKey.get(one.sealKey);
    if (!one.isSettled) return filed === undefined ? [] : [unsettled(one)];
    if (one.unsealedReason !== null) return [unsealed(one, one.unsealedReason)];
    if (filed === undefined) return chain.damagedFiles.has(sealFileOf(one.sealKey)) ? [] : [missing(one)];
    return compareStatement(one, filed);
  });
}

function compareStatement(expected: ExpectedSeal, { file, seal }: FiledSeal): readonly SealDifference[] {
  const fields = [
    ...differingFields(expected.attempt, seal.statement.predicate.attempt),
    ...subjectDifferences(expected, seal.statement).map((name) => `/subject/${name}`),
  ];
  if (fields.length === 0) return [];
  const message = `says something else of the attempt than ${expected.recordFile}: ${fields.join(', ')}`;
  return [{ code: 'statement-differs', file, message, sealKey: expected.sealKey, fields }];
}

/** Names that only one side has, or with another digest; the record itself has to be a subject, and is compared by its bytes elsewhere. */
function subjectDifferences({ artifacts, recordFile }: ExpectedSeal, { subject }: SealStatement): readonly string[] {
  const sealed = new Map(subject.map(({ name, digest }) => [name, `sha256:${digest.sha256}`]));
  const wanted = new Map<string, string | undefined>(artifacts.map(({ name, digest }) => [name, digest]));
  const names = new Set([recordFile, ...sealed.keys(), ...wanted.keys()]);
  return [...names].filter((name) => (name === recordFile ? !sealed.has(name) : sealed.get(name) !== wanted.get(name)));
}

function unsettled({ recordFile, sealKey }: ExpectedSeal): SealDifference {
  const message =
    'is not settled although the attempt is sealed: its settlement was cut off; awaiting the run completes it';
  return { code: 'attempt-unsettled', file: recordFile, message, sealKey };
}

function unsealed({ recordFile, sealKey }: ExpectedSeal, reason: string): SealDifference {
  return { code: 'attempt-unsealed', file: recordFile, message: `the attempt could not be sealed: ${reason}`, sealKey };
}

function missing({ sealKey, recordFile }: ExpectedSeal): SealDifference {
  return {
    code: 'seal-missing',
    file: sealFileOf(sealKey),
    message: `the seal is gone; ${recordFile} is settled`,
    sealKey,
  };
}
