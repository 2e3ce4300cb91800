import { Role } from '@bailiwick/execution-identity';
import { z } from 'zod';
import { BoundaryPrecision, Runner, VersionKind } from '../model.ts';
import { MAX_MODEL_REF_LENGTH, MODEL_REF_PATTERN } from '../model-ref.ts';

const idPattern = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;
const id = z.string().max(100).regex(idPattern);
const modelRef = z.string().max(MAX_MODEL_REF_LENGTH).regex(MODEL_REF_PATTERN);

// It becomes an argument of a command line: a leading dash would make it an option.
const argument = z
  .string()
  .max(2048)
  .regex(/^[^\s\p{Cc}\p{Cs}-][^\p{Cc}\p{Cs}]*$/u);

const name = z
  .string()
  .max(2048)
  .regex(/^[^\s\p{Cc}\p{Cs}](?:[^\p{Cc}\p{Cs}]*[^\s\p{Cc}\p{Cs}])?$/u);

const precision = z.enum(BoundaryPrecision);

/** How one model runs on one host, as stored in pools and in the run manifest. */
export const BindingV1 = z.strictObject({
  hostId: id,
  runner: z.enum(Runner),
  resolvedExecutionValue: argument,
  hostModelValue: name.nullable(),
  workerWriteCapability: z.strictObject({ maxBoundaryPrecision: precision }).nullable(),
});

const versionKind = z.enum(VersionKind);
const aliases = z.array(name);
const roles = z.array(z.enum(Role)).min(1);

/** A row of the model pool in its full form. */
export const ModelPoolEntryV1 = z.strictObject({
  modelRef,
  providerId: id,
  modelId: name,
  versionKind,
  channelFamily: id.exactOptional(),
  aliases,
  roles: roles.exactOptional(),
  bindings: z.array(BindingV1),
});

/** A user's row in its short form: one execution value, for every host, through the CLI wrapper. */
export const ModelShorthandV1 = z.strictObject({
  modelRef,
  executionValue: argument,
  modelId: name.exactOptional(),
  versionKind: versionKind.exactOptional(),
  channelFamily: id.exactOptional(),
  aliases: aliases.exactOptional(),
  roles: roles.exactOptional(),
  maxBoundaryPrecision: precision.exactOptional(),
});

/** A user's further names for a model that the pool has already. */
export const ModelAliasesV1 = z.strictObject({ modelRef, aliases: aliases.min(1) });
