import type { Digest } from '@bailiwick/durable-files';
import { z } from 'zod';
import { PAYLOAD_TYPE, PREDICATE_TYPE, STATEMENT_TYPE } from '../model.ts';

// Words that other packages own (stages, verdicts, grades) are text here: this format stands by itself, and a word that is added there
// must not cost an attempt its seal.
const Word = z.string().min(1);
// What passes is exactly what the brand stands for.
const DigestText = z.string().regex(/^sha256:[0-9a-f]{64}$/) as z.ZodType as z.ZodType<Digest, string>;
const Hex256 = z.string().regex(/^[0-9a-f]{64}$/);
const Timestamp = z.iso.datetime({ precision: 3 });
const Count = z.int().min(0);
const Positive = z.int().min(1);
const PathText = z.union([z.string().min(1), z.strictObject({ pathBytes: z.base64() })]);

const IdentityV1 = z.strictObject({
  runId: Word,
  dispatchId: Word,
  invocationId: Word,
  participantRef: Word,
  roleExecutionRef: Word,
  invocationRef: Word,
  executionLabel: Word,
  dutyId: Word,
  attempt: Positive,
  role: Word,
});

const EnforcementV1 = z.strictObject({
  boundaryPrecision: Word,
  mutationAudit: Word,
  boundary: Word,
  wider: z.array(Word),
  keyIsolation: Word,
  scope: Word,
});

const ServedModelV1 = z.strictObject({
  level: Word,
  normalizedModelRef: z.string().nullable(),
  reported: z.array(z.string()),
  source: Word,
  turns: Count,
  deviates: z.boolean(),
});

const LifecycleV1 = z.strictObject({
  end: Word,
  endProof: Word,
  exitCode: z.int().nullable(),
  signal: z.string().nullable(),
  endEvidence: Word,
});

const ChangeV1 = z.strictObject({
  path: PathText,
  kind: Word,
  attribution: Word,
  candidates: z.array(z.string()),
  beforeDigest: z.string().nullable(),
  afterDigest: z.string().nullable(),
});

const AuditV1 = z.strictObject({
  verdict: Word,
  attribution: Word,
  scope: Word,
  sourceChanged: z.boolean(),
  gitChanged: z.boolean(),
  beforeDigest: z.string().nullable(),
  afterDigest: z.string().nullable(),
  changedPaths: z.array(ChangeV1),
  violations: z.array(z.strictObject({ code: Word, path: PathText.exactOptional(), message: z.string() })),
});

const AttemptV1 = z.strictObject({
  identity: IdentityV1,
  status: Word,
  startedAt: Timestamp,
  finishedAt: Timestamp.nullable(),
  model: z.strictObject({
    provider: Word,
    modelRef: Word,
    modelSpecDigest: DigestText,
    executionValue: z.string(),
  }),
  servedModel: ServedModelV1.nullable(),
  session: z.strictObject({ given: z.string(), reported: z.string().nullable() }),
  policyDigest: DigestText,
  enforcement: EnforcementV1,
  promptDigest: DigestText,
  sourceDigest: DigestText.nullable(),
  lifecycle: LifecycleV1.nullable(),
  audit: AuditV1.nullable(),
  result: z
    .strictObject({ isTaken: z.boolean(), verdict: z.string().nullable(), missing: z.array(z.string()) })
    .nullable(),
});

const ChainV1 = z.strictObject({
  sequence: Positive,
  previous: z.strictObject({ sealKey: Word, digest: DigestText }).nullable(),
  supersedes: DigestText.nullable(),
});

const SigningV1 = z.discriminatedUnion('algorithm', [
  z.strictObject({ algorithm: z.literal('ed25519'), keyId: Hex256 }),
  z.strictObject({ algorithm: z.literal('none'), reason: Word }),
]);

/** The in-toto Statement of a seal. What a schema can't say is in `statementIssues`. */
export const SealStatementV1 = z.strictObject({
  _type: z.literal(STATEMENT_TYPE),
  subject: z.array(z.strictObject({ name: Word, digest: z.strictObject({ sha256: Hex256 }) })).min(1),
  predicateType: z.literal(PREDICATE_TYPE),
  predicate: z.strictObject({
    sealKey: Word,
    sealedAt: Timestamp,
    signing: SigningV1,
    chain: ChainV1,
    attempt: AttemptV1,
    files: z.array(z.strictObject({ name: Word, digest: DigestText.nullable() })),
  }),
});

/** `seals/<seal key>.json` and `seals/head.json`, version 1.0: the DSSE envelope of a statement. */
export const SealEnvelopeV1 = z.strictObject({
  schemaVersion: z.literal('1.0'),
  payloadType: z.literal(PAYLOAD_TYPE),
  payload: z.base64().min(1),
  signatures: z.array(z.strictObject({ keyid: Hex256, sig: z.base64().min(1) })).max(1),
});

/** `seals/pending.json`, version 1.0: texts of envelopes. */
export const PendingSealsV1 = z.strictObject({
  schemaVersion: z.literal('1.0'),
  seals: z.array(z.string().min(1)).min(1),
});
