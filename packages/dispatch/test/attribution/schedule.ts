import fc from 'fast-check';

/** What a writer tries, in the order of its script: relative to the tree, or to drop boxes (`@box`, `@other-box`). */
interface Step {
  readonly op: string;
  readonly path: string;
  /** Where a file is carried or renamed to. */
  readonly other: string;
}

/** Who a writer is, how it is held, and what it tries. */
export interface Writer {
  readonly role: 'implementer' | 'verifier' | 'analyst';
  /** What an implementer plans of its own folder: all of it, one pattern, or the whole tree where nobody else plans. */
  readonly plan: 'folder' | 'pattern' | 'tree';
  readonly ignored: 'free' | 'listed' | 'none';
  readonly isConfined: boolean;
  /** Whether one that may change no source has a throw-away layer, where an overlay can be mounted. */
  readonly isLayered: boolean;
  readonly steps: readonly Step[];
}

/** Four writers in one tree at once. */
export type Schedule = readonly Writer[];

export const WRITERS = 4;

/** The folders of the tree: one of each writer's plan, one of nobody's, one that git ignores, and the tree itself. */
const FOLDERS = ['d0/', 'd1/', 'd2/', 'd3/', 'd0/sub/', 'shared/', 'build/', ''];
/** Files that are there at first, and ones that aren't; no folder or link ever has such a name, so that a race can't make an operation do what it doesn't say. */
const FILES = ['a.txt', 'b.js', 'new.txt', '.env'];
/** A file with a second name outside the tree, and drop boxes. */
const BESIDE = ['shared/alias.txt', '@box/result.json', '@box/extra', '@other-box/result.json'];

/** What lies in the tree before the first schedule. */
export const FIRST_FILES: readonly string[] = FOLDERS.flatMap((folder) => [`${folder}a.txt`, `${folder}b.js`]);

const folder = fc.constantFrom(...FOLDERS);
const file = fc.constantFrom(...FILES);
const anyFile = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(folder, file).map((names) => names.join('')) },
  { weight: 1, arbitrary: fc.constantFrom(...BESIDE) },
);

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ op: fc.constantFrom('edit', 'create', 'remove', 'chmod', 'carry'), path: anyFile, other: anyFile }),
  // Within one folder it is one call of the kernel's, whatever is mounted where.
  fc.tuple(folder, file, file).map(([at, from, to]) => ({ op: 'rename', path: at + from, other: at + to })),
  fc.tuple(fc.constantFrom('mkdir', 'rmdir'), folder).map(([op, at]) => ({ op, path: `${at}made`, other: '' })),
  fc.tuple(fc.constantFrom('link', 'unlink'), folder).map(([op, at]) => ({ op, path: `${at}to-nowhere`, other: '' })),
);

const writer = (isConfined: fc.Arbitrary<boolean>): fc.Arbitrary<Writer> =>
  fc.record({
    role: fc.constantFrom('implementer', 'verifier', 'analyst'),
    plan: fc.constantFrom('folder', 'pattern', 'tree'),
    ignored: fc.constantFrom('free', 'listed', 'none'),
    isConfined,
    isLayered: fc.constantFrom(true, true, false),
    steps: fc.array(step, { minLength: 1, maxLength: 12 }),
  });

const four = (isConfined: fc.Arbitrary<boolean>): fc.Arbitrary<Schedule> =>
  fc.array(writer(isConfined), { minLength: WRITERS, maxLength: WRITERS });

/** Any four writers: all of them confined more often than not, since one that isn't is a candidate for everything. */
export function schedules(isConfinable: boolean): fc.Arbitrary<Schedule> {
  if (!isConfinable) return four(fc.constant(false));
  const mixed = { weight: 1, arbitrary: four(fc.constantFrom(true, true, true, false)) };
  return fc.oneof({ weight: 3, arbitrary: four(fc.constant(true)) }, mixed);
}
