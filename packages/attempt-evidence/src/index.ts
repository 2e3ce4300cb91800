export { isSealError, SealError, SealErrorCode, type SealErrorFields } from './errors.ts';
export { readPublicKeys } from './keys/public-keys.ts';
export {
  type AttemptFacts,
  type ChainLink,
  type NamedDigest,
  type NamedFile,
  PAYLOAD_TYPE,
  PREDICATE_TYPE,
  type Seal,
  type SealEnvelope,
  type SealedAudit,
  type SealedChange,
  type SealedEnforcement,
  type SealedIdentity,
  type SealedLifecycle,
  type SealedPath,
  type SealedResult,
  type SealedServedModel,
  type SealPredicate,
  type SealReference,
  type SealStatement,
  type Signing,
  STATEMENT_TYPE,
  type StatementInput,
} from './model.ts';
export { artifactsOf, attemptFactsOf } from './record/attempt-facts.ts';
export { attemptFileNames, digestFiles, digestToBeWritten } from './record/attempt-files.ts';
export { buildStatement, type StatementFiles } from './record/build-statement.ts';
export { type ExpectedSeal, expectedSealOf } from './record/expected-seal.ts';
export {
  type AttemptToSeal,
  type SealOutcome,
  type SettledAttempt,
  sealSettledAttempt,
  sealSettledAttempts,
} from './record/seal-settled-attempt.ts';
export {
  createSealer,
  createUnsignedSealer,
  type Sealer,
  type SealerOptions,
  type SigningSealer,
} from './seal/create-sealer.ts';
export type { SealLink } from './seal/make-seal.ts';
export { sigstoreBundleOf } from './seal/sigstore-bundle.ts';
export {
  type AppendOptions,
  type AppendSealOptions,
  appendSeal,
  appendSeals,
  type SealAppend,
  type SealReceipt,
  type SealRequest,
} from './store/append-seal.ts';
export {
  chainLockPathOf,
  HEAD_FILE,
  PENDING_FILE,
  SEALS_FOLDER,
  sealFileOf,
  supersededFileOf,
} from './store/seal-files.ts';
export { readSeal, type SealOwner, writeSeal } from './store/stored-seals.ts';
export type { ReadArtifact } from './verify/check-files.ts';
export { type SealDifference, SealDifferenceCode } from './verify/difference.ts';
export type { SealFile } from './verify/read-chain.ts';
export { type RunToVerify, verifyRunSeals } from './verify/verify-run-seals.ts';
export { type ChainToVerify, type SealVerification, verifySealChain } from './verify/verify-seal-chain.ts';
export { decodeSeal } from './wire/index.ts';
