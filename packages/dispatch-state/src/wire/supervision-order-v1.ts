import { batchIdField, dispatchIdField, sessionIdField } from '@bailiwick/execution-identity/schema';
import { z } from 'zod';
import { AbsolutePath, LimitsV1, ModelRefText, ModelSource, ProviderId } from './fields.ts';

const StdinV1 = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('prompt-file') }),
  z.strictObject({ kind: z.literal('text'), text: z.string() }),
  z.strictObject({ kind: z.literal('none') }),
]);

/** Relative, with `/`, and never upwards. */
const BelowHome = z.string().regex(/^(?!(?:.*\/)?\.\.(?:\/|$))[^/]+(?:\/[^/]+)*$/);

const LayerOrderV1 = z.strictObject({
  worktree: AbsolutePath,
  folder: AbsolutePath,
  means: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('bubblewrap') }),
    z.strictObject({ kind: z.literal('mount'), unshare: AbsolutePath, mount: AbsolutePath }),
    z.strictObject({ kind: z.literal('copy') }),
  ]),
});

const BoundaryOrderV1 = z.strictObject({
  program: AbsolutePath,
  writable: z.array(AbsolutePath),
  readOnly: z.array(AbsolutePath),
  hidden: z.array(AbsolutePath),
  privateFolder: AbsolutePath,
  privateHome: z
    .strictObject({
      userHome: AbsolutePath,
      logins: z.array(z.strictObject({ source: AbsolutePath, below: BelowHome })),
    })
    .nullable(),
  layer: LayerOrderV1.exactOptional(),
});

const OwnHomeOrderV1 = z.strictObject({
  folder: AbsolutePath,
  userHome: AbsolutePath,
  files: z.array(z.strictObject({ below: BelowHome, text: z.string() })),
});

const GatewayOrderV1 = z.strictObject({
  format: z.enum(['openai-responses', 'openai-chat', 'anthropic-messages', 'google-generate-content']),
  upstream: z.string().regex(/^https?:\/\/[^\s?#]+$/),
  key: z.string().min(1).nullable(),
  models: z
    .strictObject({
      only: z.array(z.string().min(1)).exactOptional(),
      never: z.array(z.string().min(1)).exactOptional(),
    })
    .exactOptional(),
  placeholder: z.string().min(8),
});

const CostLimitOrderV1 = z.strictObject({
  maxUsd: z.number().positive(),
  spentUsd: z.number().min(0),
  sidecarPaths: z.array(AbsolutePath),
});

const SupervisedJobV1 = z.strictObject({
  dispatchId: dispatchIdField,
  recordPath: AbsolutePath,
  sidecarPath: AbsolutePath,
  logPath: AbsolutePath,
  provider: ProviderId,
  endEvidence: z.enum(['stream', 'exit-code']),
  argv: z.array(z.string()).min(1),
  env: z.record(z.string(), z.string()),
  cwd: AbsolutePath,
  stdin: StdinV1,
  promptPath: AbsolutePath,
  dropBoxPath: AbsolutePath,
  sessionId: z.union([sessionIdField, z.literal('')]),
  limits: LimitsV1,
  servedModel: z.strictObject({
    selectedModelRef: ModelRefText,
    poolEntries: z.array(z.unknown()),
    minimumSource: ModelSource.nullable(),
  }),
  stopIntentPath: AbsolutePath,
  boundary: BoundaryOrderV1.exactOptional(),
  ownHome: OwnHomeOrderV1.exactOptional(),
  gateway: GatewayOrderV1.exactOptional(),
});

/** What a supervisor reads from its standard input, version 1.0. */
export const SupervisionOrderV1 = z.strictObject({
  schemaVersion: z.literal('1.0'),
  runDirectory: AbsolutePath,
  batchId: batchIdField,
  liveLockPath: AbsolutePath,
  socketPath: AbsolutePath.nullable(),
  maxConcurrent: z.int().min(1),
  providerLimits: z.array(z.strictObject({ provider: ProviderId, maxConcurrent: z.int().min(1) })).exactOptional(),
  costLimit: CostLimitOrderV1.exactOptional(),
  maxLogBytes: z.int().min(1),
  poolEntries: z.array(z.unknown()).exactOptional(),
  jobs: z.array(SupervisedJobV1).min(1),
});
