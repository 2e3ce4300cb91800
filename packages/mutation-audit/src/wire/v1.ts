import { z } from 'zod';
import { ATTRIBUTION_GRADES, AUDIT_STATUSES, VIOLATION_CODES } from '../model.ts';

const PathNameV1 = z.union([z.string().min(1), z.strictObject({ pathBytes: z.base64() })]);
const KindV1 = z.enum(['created', 'modified', 'deleted', 'mode', 'type']);
const ContentDigestV1 = z
  .string()
  .regex(/^(?:sha256:[0-9a-f]{64}|git-sha1:[0-9a-f]{40}|git-sha256:[0-9a-f]{64})$/)
  .nullable();
const StateDigestV1 = z
  .string()
  .regex(/^sha256:[0-9a-f]{64}$/)
  .nullable();

const ChangedPathV1 = z.strictObject({
  path: PathNameV1,
  kind: KindV1,
  attribution: z.enum(ATTRIBUTION_GRADES),
  candidates: z.array(z.string()),
  beforeDigest: ContentDigestV1,
  afterDigest: ContentDigestV1,
});

const RepositoryProjectionV1 = z.strictObject({
  root: z.string(),
  repository: z.string(),
  head: z.string().nullable(),
  tip: z.string().nullable(),
  refs: z.string(),
  index: z.string(),
  control: z.string(),
});

const GitProjectionV1 = z.strictObject({ repositories: z.array(RepositoryProjectionV1) });

/** The mutation audit as it is embedded in dispatch records, events and seals. */
export const MutationAuditV1 = z.strictObject({
  status: z.enum(AUDIT_STATUSES),
  changedPaths: z.array(ChangedPathV1),
  sourceChanged: z.boolean(),
  gitChanged: z.boolean(),
  attribution: z.enum(ATTRIBUTION_GRADES),
  retryAllowed: z.boolean(),
  violations: z.array(
    z.strictObject({ code: z.enum(VIOLATION_CODES), path: PathNameV1.optional(), message: z.string() }),
  ),
  beforeDigest: StateDigestV1,
  afterDigest: StateDigestV1,
  gitProjection: z.strictObject({ before: GitProjectionV1, after: GitProjectionV1 }).nullable(),
  external: z.array(
    z.strictObject({
      path: PathNameV1,
      kind: z.enum([...KindV1.options, 'git']),
      reason: z.enum(['no-worker-could', 'fetched-ref']),
    }),
  ),
  uncharged: z.array(
    z.strictObject({
      area: z.enum(['ignored', 'scratch', 'auxiliary']),
      count: z.int().nonnegative(),
      paths: z.array(PathNameV1),
    }),
  ),
  aliased: z.array(PathNameV1),
  traces: z.array(z.strictObject({ path: PathNameV1, kind: z.enum(['touched', 'restored', 'transient']) })),
  scope: z.enum(['tree', 'write-roots']),
});
