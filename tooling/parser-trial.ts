import fc from 'fast-check';

/** What a parser says of a document that it refuses. */
export interface Refusal {
  /** Whether it is one of the parser's own coded errors. */
  readonly isCoded: boolean;
  /** JSON pointers to what is wrong; undefined for a parser that only says no. */
  readonly paths?: readonly string[] | undefined;
}

/** A parser on trial. */
export interface TriedParser {
  readonly name: string;
  /** Documents that it accepts; changes are made to these. */
  readonly accepted: readonly unknown[];
  /** Reads a document: undefined where it is accepted, else what was thrown. */
  readonly refusalOf: (document: unknown) => Refusal | undefined;
  /** Whether the format looks into this place; by default into every one. */
  readonly isJudged?: (place: readonly string[]) => boolean;
}

/** How many documents were given, and how many of them were accepted ones with one field changed. */
export interface TrialCount {
  readonly documents: number;
  readonly changed: number;
}

/** The number of documents that each parser is given: a few in the suite, as many as BAILIWICK_FUZZ_RUNS says on demand. */
export const trialRuns = (few: number): number => Number(process.env['BAILIWICK_FUZZ_RUNS'] ?? few);

/** Wrong at every place of every format of ours. */
const NEVER_RIGHT: readonly unknown[] = [{ x: 1 }, [[]], { kind: 1 }, -7.5];

/**
 * Gives the parser random documents, documents made of its own keys, and accepted documents with one field changed, about half of each
 * kind. Fails at the first that ends in anything but acceptance or a coded error, and at a changed one that isn't refused for the place of
 * the change.
 */
export function tryParser(parser: TriedParser, runs: number): TrialCount {
  const count = { documents: 0, changed: 0 };
  const judge = ({ document, at }: Given): void => {
    count.documents += 1;
    if (at !== undefined) count.changed += 1;
    const complaint = complaintAbout(parser, document, at);
    if (complaint !== undefined) throw new Error(`${parser.name}: ${complaint}`);
  };
  fc.assert(fc.property(givenTo(parser), judge), { numRuns: runs });
  if (process.env['BAILIWICK_FUZZ_RUNS'] !== undefined)
    process.stdout.write(`${parser.name}: ${count.documents} documents, ${count.changed} with one field changed\n`);
  return count;
}

interface Given {
  readonly document: unknown;
  /** Pointer to the change; absent for a random document. */
  readonly at?: string;
}

function givenTo({ accepted, isJudged = () => true }: TriedParser): fc.Arbitrary<Given> {
  const spots = accepted.flatMap((document) => placesOf(document).map((place) => ({ document, place })));
  const judged = spots.filter(({ place }) => isJudged(place));
  const changed = fc
    .tuple(fc.constantFrom(...judged), fc.constantFrom(...NEVER_RIGHT))
    .map(([{ document, place }, value]) => ({ document: changedAt(document, place, value), at: pointerTo(place) }));
  const keys = ['__proto__', ...new Set(spots.map(({ place }) => place[0] ?? ''))];
  const alike = fc.dictionary(fc.constantFrom(...keys), fc.jsonValue());
  const base = fc.constantFrom(...accepted);
  const mixed = fc.tuple(base, alike).map(([document, more]) => ({ ...Object(document), ...more }));
  const random = fc.oneof(fc.anything(), fc.jsonValue(), alike, mixed).map((document) => ({ document }));
  return fc.oneof(changed, random);
}

function complaintAbout(parser: TriedParser, document: unknown, at: string | undefined): string | undefined {
  const refusal = parser.refusalOf(document);
  if (refusal === undefined) return at === undefined ? undefined : `accepts a change of ${at}`;
  if (!refusal.isCoded) return 'an error that is none of its own';
  if (at === undefined || refusal.paths === undefined) return undefined;
  if (refusal.paths.some((path) => path === at || path.startsWith(`${at}/`))) return undefined;
  return `a change of ${at} is refused for ${refusal.paths.join(', ') || 'no place'}`;
}

/** Every place of a JSON document below its root, as keys from the root. */
function placesOf(value: unknown, at: readonly string[] = []): readonly (readonly string[])[] {
  const isLeaf = typeof value !== 'object' || value === null;
  const inner = isLeaf ? [] : Object.entries(value).flatMap(([key, item]) => placesOf(item, [...at, key]));
  return at.length === 0 ? inner : [at, ...inner];
}

function changedAt(document: unknown, place: readonly string[], value: unknown): unknown {
  const [key, ...rest] = place;
  if (key === undefined) return value;
  const copy: object = Array.isArray(document) ? [...document] : { ...Object(document) };
  Reflect.set(copy, key, changedAt(Reflect.get(copy, key), rest, value));
  return copy;
}

function pointerTo(place: readonly string[]): string {
  return place.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
