import { IdentityErrorCode } from './errors.ts';
import { fieldError } from './field-error.ts';
import { show } from './show.ts';

/** What a role execution does in a run. */
export const Role = {
  implementer: 'implementer',
  verifier: 'verifier',
  analyst: 'analyst',
  reportWriter: 'report-writer',
  translator: 'translator',
} as const;
/** One of the roles. */
export type Role = (typeof Role)[keyof typeof Role];

/** Whom a prompt is written for. */
export const Audience = {
  implementationExecutor: 'implementation-executor',
  implementationVerifier: 'implementation-verifier',
  analysisWorker: 'analysis-worker',
  reportWriter: 'report-writer',
  translator: 'translator',
} as const;
/** One of the audiences. */
export type Audience = (typeof Audience)[keyof typeof Audience];

/** The pairing of ID-10, in its one place. */
const ROLE_OF_AUDIENCE: Readonly<Record<Audience, Role>> = {
  [Audience.implementationExecutor]: Role.implementer,
  [Audience.implementationVerifier]: Role.verifier,
  [Audience.analysisWorker]: Role.analyst,
  [Audience.reportWriter]: Role.reportWriter,
  [Audience.translator]: Role.translator,
};

const roles: readonly Role[] = Object.values(Role);
const audiences: readonly Audience[] = Object.values(Audience);

/** Returns the value unchanged, or throws ROLE_INVALID. */
export function parseRole(value: unknown, where?: string): Role {
  if (isRole(value)) return value;
  const said = `${show(value)} is not a role; the roles are ${roles.join(', ')}`;
  throw fieldError(IdentityErrorCode.roleInvalid, said, { field: 'role', where });
}

/** True for exactly what parseRole returns. */
export function isRole(value: unknown): value is Role {
  return roles.some((role) => role === value);
}

/** Returns the value unchanged, or throws AUDIENCE_INVALID. */
export function parseAudience(value: unknown, where?: string): Audience {
  if (isAudience(value)) return value;
  const said = `${show(value)} is not an audience; the audiences are ${audiences.join(', ')}`;
  throw fieldError(IdentityErrorCode.audienceInvalid, said, { field: 'audience', where });
}

/** True for exactly what parseAudience returns. */
export function isAudience(value: unknown): value is Audience {
  return audiences.some((audience) => audience === value);
}

/** The one role that an audience goes with (ID-10). Throws AUDIENCE_INVALID. */
export function roleOfAudience(audience: Audience): Role {
  return ROLE_OF_AUDIENCE[parseAudience(audience)];
}

/** The one audience that a role goes with (ID-10). Throws ROLE_INVALID. */
export function audienceOfRole(role: Role): Audience {
  const wanted = parseRole(role);
  const found = audiences.find((audience) => ROLE_OF_AUDIENCE[audience] === wanted);
  return parseAudience(found);
}
