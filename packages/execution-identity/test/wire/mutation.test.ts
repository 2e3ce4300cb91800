import { isDigest } from '@bailiwick/durable-files';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decodeIdentity,
  type IdentityError,
  isAttempt,
  isAudience,
  isDispatchKind,
  isDutyId,
  isExecutionLabel,
  isIdentityError,
  isInvocationId,
  isInvocationRef,
  isParticipantRef,
  isRoleExecutionRef,
  isWorkerId,
  metadataCodec,
  reservationCodec,
} from '../../src/index.ts';
import { notText, refusedText } from '../arbitraries.ts';
import { thrownBy } from '../expect-code.ts';
import { fixturesOf } from '../fixtures.ts';

// More with BAILIWICK_FUZZ_RUNS, e.g. 100000; a tenth of a second buys about a thousand.
const runs = Number(process.env['BAILIWICK_FUZZ_RUNS'] ?? 800);
const timeoutMs = 30_000 + runs;

type Doc = Readonly<Record<string, unknown>>;
const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const isPath = (value: unknown): boolean =>
  typeof value === 'string' && /^[^\0]+$/.test(value) && value.isWellFormed() && Array.from(value).length <= 4096;
const never = (): boolean => false;

/** What each field may hold, by JSON pointer; a mutation puts in something else. */
const mayHold: Readonly<Record<string, (value: unknown) => boolean>> = {
  '/schemaVersion': never,
  '/executionIdentityVersion': never,
  '/invocationId': isInvocationId,
  '/audience': isAudience,
  '/assignmentRef': isDutyId,
  '/assignment': (value) => typeof value === 'object' && value !== null,
  '/assignment/hostModelValue': (value) => value === null || isText(value),
  '/assignment/modelRef': isText,
  '/assignment/provider': isText,
  '/assignment/runner': isText,
  '/assignment/modelExecutionValue': isText,
  '/dispatchKind': isDispatchKind,
  '/inputDigest': isDigest,
  '/participantRef': isParticipantRef,
  '/roleExecutionRef': isRoleExecutionRef,
  '/invocationRef': isInvocationRef,
  '/executionLabel': isExecutionLabel,
  '/dutyId': isDutyId,
  '/attempt': isAttempt,
  '/workerId': isWorkerId,
  '/promptPath': isPath,
  '/metadataPath': isPath,
};

const wrongValue = fc.oneof(
  fc.jsonValue({ maxDepth: 1 }),
  refusedText,
  fc.constantFrom<unknown>(true, false, 0, -1, 1.5, 1e21, null, '1', '', [], {}, 'reverify-r0', 'reverify-r'),
  fc.constantFrom<unknown>(1, 2, 3, '1.0', '2', '2.0', '2.1', '3.0', 'v2'),
);

interface Mutation {
  readonly document: Doc;
  readonly at: string;
  readonly did: string;
}

function mutationsOf(documents: readonly Doc[]): fc.Arbitrary<Mutation> {
  const replaced = fc
    .constantFrom(...documents.flatMap(placesOf))
    .chain(({ document, at, holds }) =>
      wrongValue
        .filter((value) => !(mayHold[at] ?? never)(value) && JSON.stringify(value) !== JSON.stringify(holds))
        .map((value) => ({ document: withAt(document, at, value), at, did: 'replaced' })),
    );
  const required = documents.flatMap(placesOf).filter((place) => isRequired(place.at));
  const removed = fc
    .constantFrom(...required)
    .map(({ document, at }) => ({ document: withAt(document, at, undefined), at, did: 'removed' }));
  const added = fc
    .tuple(
      fc.constantFrom(...documents),
      fc.oneof(fc.string(), fc.constantFrom('toString', '__proto__', 'a/b', '~1')),
      fc.jsonValue(),
    )
    .filter(([, key]) => mayHold[pointer(key)] === undefined)
    .map(([document, key, value]) => ({ document: withKey(document, key, value), at: pointer(key), did: 'added' }));
  return fc.oneof({ weight: 4, arbitrary: replaced }, removed, added);
}

const metadata = [...fixturesOf('v1', 'accept'), ...fixturesOf('v2', 'accept')].map((it) => it.document as Doc);
const reservations = fixturesOf('reservation-v2', 'accept').map((it) => it.document as Doc);

const decodeMetadata = (value: unknown, where: string): unknown => metadataCodec.decode(value, where);
const decodeReservation = (value: unknown, where: string): unknown => reservationCodec.decode(value, where);

describe('accepted documents with one field changed', () => {
  it(
    'ID-1 metadata is refused for the path that was changed, with a coded error',
    () =>
      fc.assert(
        fc.property(mutationsOf(metadata), (it) => expectRefusedAt(it, decodeMetadata)),
        { numRuns: runs },
      ),
    timeoutMs,
  );

  it(
    'TR-2 a reservation is refused for the path that was changed, with a coded error',
    () =>
      fc.assert(
        fc.property(mutationsOf(reservations), (it) => expectRefusedAt(it, decodeReservation)),
        { numRuns: runs },
      ),
    timeoutMs,
  );
});

describe('documents of any kind', () => {
  const manifest = { participants: [], roleExecutions: [] };
  const anyDocument = fc.oneof(
    fc.anything({ withBigInt: true, withNullPrototype: true, withSparseArray: true, withDate: true }),
    notText,
    fc.dictionary(fc.constantFrom(...Object.keys(mayHold).map((at) => at.slice(1)), 'x'), fc.jsonValue()),
  );

  it(
    'give no error but a coded one',
    () =>
      fc.assert(
        fc.property(anyDocument, (value) => {
          for (const read of [decodeMetadata, decodeReservation]) {
            const error = thrownBy(() => read(value, 'file.json'));
            expect(isIdentityError(error)).toBe(true);
          }
          const error = thrownBy(() => decodeIdentity(value, manifest, 'row 1'));
          if (error !== undefined) expect(isIdentityError(error)).toBe(true);
        }),
        { numRuns: runs },
      ),
    timeoutMs,
  );
});

function expectRefusedAt(mutation: Mutation, decode: (value: unknown, where: string) => unknown): void {
  // Through text, as a file would bring it: a value that JSON can't hold is no mutation of a document.
  const error = thrownBy(() => decode(JSON.parse(JSON.stringify(mutation.document)), 'file.json'));
  expect(isIdentityError(error), `${mutation.did} ${mutation.at}: ${String(error)}`).toBe(true);
  const { issues = [], message } = error as IdentityError;
  expect(message).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e]/u);
  expect(issues.map((issue) => issue.path)).toContain(mutation.at);
  expect((error as IdentityError).code).toBe(issues[0]?.code);
}

function placesOf(document: Doc): readonly { document: Doc; at: string; holds: unknown }[] {
  const top = Object.entries(document).map(([key, holds]) => ({ document, at: pointer(key), holds }));
  const assignment = Object.entries((document['assignment'] ?? {}) as Doc);
  return [...top, ...assignment.map(([key, holds]) => ({ document, at: `/assignment${pointer(key)}`, holds }))];
}

function isRequired(at: string): boolean {
  return at !== '/workerId' && (!at.startsWith('/assignment/') || at === '/assignment/hostModelValue');
}

function withAt(document: Doc, at: string, value: unknown): Doc {
  const [, key = '', inner] = at.split('/');
  if (inner === undefined) return withKey(document, key, value);
  return withKey(document, key, withKey(document[key] as Doc, inner, value));
}

/** Defines rather than assigns, so that `__proto__` is a key like any other, as it is in JSON. */
function withKey(document: Doc, key: string, value: unknown): Doc {
  const copy = { ...document };
  Object.defineProperty(copy, key, { value, enumerable: true, configurable: true, writable: true });
  return copy;
}

function pointer(key: string): string {
  return `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
