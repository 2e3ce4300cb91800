import { AttestationLevel, AttestationSource } from '@bailiwick/assignment-resolution';
import { BindingV1, ModelPoolEntryV1 } from '@bailiwick/assignment-resolution/schema';
import { inputDigestField } from '@bailiwick/execution-identity/schema';
import { z } from 'zod';
import { BackendKind, EndProof } from '../stages.ts';

// What a format of another package has too is taken from there: a run that it accepts can always be written here.
export const DigestText = inputDigestField;
export const ProviderId = ModelPoolEntryV1.shape.providerId;
export const ModelRefText = ModelPoolEntryV1.shape.modelRef;
export const ModelIdText = ModelPoolEntryV1.shape.modelId;
export const ExecutionValue = BindingV1.shape.resolvedExecutionValue;
export const HostModelValue = BindingV1.shape.hostModelValue;

export const Timestamp = z.iso.datetime({ precision: 3 });
const Milliseconds = z.int().min(0);
export const ByteCount = z.int().min(0);
// As the paths of execution-identity, and absolute; one pattern, since not every validator looks into `allOf`.
const PATH_CHARACTER = '(?:[^\\u0000\\ud800-\\udfff]|[\\ud800-\\udbff][\\udc00-\\udfff])';
export const AbsolutePath = z.string().regex(new RegExp(`^/${PATH_CHARACTER}{0,4095}$`, 'u'));
export const Backends = z.enum(BackendKind);
export const EndProofs = z.enum(EndProof);
export const Evidence = z.enum(['positive', 'negative', 'absent']);
export const ModelSource = z.enum(AttestationSource);

export const LimitsV1 = z.strictObject({ hardMs: Milliseconds, idleMs: Milliseconds, graceMs: Milliseconds });

export const ProcessIdentityV1 = z.strictObject({
  hostId: z.string(),
  bootId: z.string(),
  pidNamespace: z.string(),
  pid: z.int().min(1),
  startTicks: z.string(),
});

const Amount = z.union([z.number().min(0), z.literal('unknown')]);

export const UsageV1 = z.strictObject({
  inputTokens: Amount,
  outputTokens: Amount,
  cachedInputTokens: Amount,
  costUsd: Amount,
});

const TurnNumber = z.int().min(1);
const ObservationV1 = z.strictObject({ raw: z.string().nullable(), source: ModelSource });

// What an agent prints of itself is text of any kind: a name that no schema would take must not cost the attempt its sidecar.
export const ServedModelV1 = z.strictObject({
  level: z.enum(AttestationLevel),
  normalizedModelRef: z.string().nullable(),
  reported: z.array(z.string()),
  source: ModelSource,
  turns: z.int().min(0),
  deviation: z
    .strictObject({ turn: TurnNumber, raw: z.string(), source: ModelSource, reason: z.string() })
    .exactOptional(),
  disagreements: z
    .array(z.strictObject({ turn: TurnNumber, counted: ObservationV1, overruled: z.array(ObservationV1) }))
    .exactOptional(),
});
