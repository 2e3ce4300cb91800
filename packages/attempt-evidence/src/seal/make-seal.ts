import { parseInvocationRef, sealKeyOf } from '@bailiwick/execution-identity';
import {
  type ChainLink,
  PAYLOAD_TYPE,
  PREDICATE_TYPE,
  type Seal,
  type SealStatement,
  type Signing,
  STATEMENT_TYPE,
  type StatementInput,
} from '../model.ts';
import { encodeStatement, sealOf } from '../wire/index.ts';

/** Where a seal goes in its chain, and when it is made. */
export interface SealLink extends ChainLink {
  readonly sealedAt: Date;
}

/** How a statement becomes a seal; `signatureOf` gives null where nothing is signed. */
export interface SigningMeans {
  readonly signing: Signing;
  readonly signatureOf: (payload: Buffer) => Buffer | null;
}

/** The seal of an attempt. Throws DurableFileError DOCUMENT_INVALID for what could not be read again. */
export function makeSeal(input: StatementInput, link: SealLink, { signing, signatureOf }: SigningMeans): Seal {
  const payload = encodeStatement(statementOf(input, link, signing));
  const signature = signatureOf(payload);
  const isSigned = signing.algorithm === 'ed25519' && signature !== null;
  return sealOf(
    {
      schemaVersion: '1.0',
      payloadType: PAYLOAD_TYPE,
      payload: payload.toString('base64'),
      signatures: isSigned ? [{ keyid: signing.keyId, sig: signature.toString('base64') }] : [],
    },
    'a seal to be written',
  );
}

/** The in-toto Statement of an attempt; pure. */
export function statementOf(input: StatementInput, link: SealLink, signing: Signing): SealStatement {
  const { sequence, previous, supersedes, sealedAt } = link;
  const { invocationRef, attempt } = input.attempt.identity;
  return {
    _type: STATEMENT_TYPE,
    subject: input.subjects.map(({ name, digest }) => ({ name, digest: { sha256: digest.slice('sha256:'.length) } })),
    predicateType: PREDICATE_TYPE,
    predicate: {
      sealKey: sealKeyOf(parseInvocationRef(invocationRef), attempt),
      sealedAt: sealedAt.toISOString(),
      signing,
      chain: { sequence, previous, supersedes },
      attempt: input.attempt,
      files: input.files,
    },
  };
}
