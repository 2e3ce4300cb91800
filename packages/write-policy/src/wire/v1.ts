import { Role } from '@bailiwick/execution-identity';
import { z } from 'zod';
import {
  AuditScope,
  Boundary,
  BoundaryGap,
  BoundaryPrecision,
  GitPermission,
  IgnoredPaths,
  KeyIsolation,
  MutationAuditMode,
  ThrowAwayLayer,
} from '../model.ts';

/** A stored write policy. What a schema can't say (places, roles, links) is in `policyIssues`. */
export const WritePolicyV1 = z.strictObject({
  role: z.enum(Role),
  projectRoot: z.string().min(1),
  worktree: z.string().min(1),
  artifactPaths: z.array(z.string().min(1)),
  plannedPaths: z.array(z.string().min(1)),
  auxiliaryRoots: z.array(z.string().min(1)),
  git: z.enum(GitPermission),
  ignored: z.enum(IgnoredPaths),
  scratch: z.array(z.string().min(1)),
  maximumBoundaryPrecision: z.enum(BoundaryPrecision),
});

/** A stored write enforcement. What a schema can't say is in `enforcementIssues`. */
export const WriteEnforcementV1 = z.strictObject({
  boundaryPrecision: z.enum(BoundaryPrecision),
  mutationAudit: z.enum(MutationAuditMode),
  boundary: z.enum(Boundary),
  wider: z.array(z.string().min(1)),
  keyIsolation: z.enum(KeyIsolation),
  scope: z.enum(AuditScope),
  boundaryReason: z.string().min(1).exactOptional(),
  unheld: z.array(z.enum(BoundaryGap)).exactOptional(),
  layer: z.enum(ThrowAwayLayer).exactOptional(),
  layerReason: z.string().min(1).exactOptional(),
});
