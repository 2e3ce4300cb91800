import { randomBytes } from 'node:crypto';
import type { Digest } from '@bailiwick/durable-files';
import type { SnapshotReceipt } from '../model.ts';
import type { BytePath } from '../path-name.ts';
import type { Crew } from '../thread/crew.ts';
import type { AuditTask } from '../thread/protocol.ts';
import { hasFineTimes, YOUNG_NS } from '../tree/fine-times.ts';
import { isProblem, lookAt } from '../tree/folder-reader.ts';
import { Signature } from '../tree/signature.ts';
import { STAT_FIELDS, STAT_WIDTH, writeRow } from '../tree/stat-rows.ts';
import { renewTurn } from '../tree/turn.ts';
import { bothSpellings, type CheckedRoot, checkRoots, isBelow } from './check-roots.ts';
import { encodeSnapshot } from './format.ts';
import { observeTree, readRootRepositories, type TreeView } from './observe-tree.ts';
import { settle } from './settle.ts';
import { type BaselineDigests, DIGEST_BYTES, type RootFacts, type SnapshotData } from './snapshot-data.ts';
import { findUnknownContent, type UnknownContent } from './unknown-content.ts';
import { writeNewFile } from './write-file.ts';

/** Takes a snapshot: settles, walks, reads what nothing vouches for, writes. Throws SNAPSHOT_* codes. */
export async function snapshotTask(
  task: Extract<AuditTask, { kind: 'snapshot' }>,
  crew: Crew,
): Promise<Omit<SnapshotReceipt, 'durationMs'>> {
  const exclude = bothSpellings([...task.exclude, task.snapshotPath]);
  const roots = checkRoots(task.roots, exclude);
  await crew.pause();
  const settling = settle(
    roots.map(({ path }) => path),
    crew.flusher,
  );
  await crew.pause();
  const git = await readRootRepositories(roots, exclude, crew);
  const isSettled = await settling;
  renewTurn();
  const startedNs = Date.now() * 1_000_000;
  const rootFacts = roots.map(rootFactsOf);
  const view = await observeTree(roots, exclude, crew, git);
  await crew.pause();
  const digests = await digestUnknown(view, { crew, rootFacts, youngFromNs: startedNs - YOUNG_NS });
  const data = assembleSnapshot({ rootFacts, exclude, isSettled, view, digests });
  await crew.pause();
  crew.signal?.throwIfAborted();
  const { pieces, digestHex } = encodeSnapshot(data);
  const bytes = await writeNewFile(task.snapshotPath, pieces, randomBytes(6).toString('hex'));
  // Made here from 32 bytes of SHA-256.
  return { digest: `sha256:${digestHex}` as Digest, entries: new Signature(data.columns).count, bytes };
}

interface Assembly {
  readonly rootFacts: readonly RootFacts[];
  readonly exclude: readonly BytePath[];
  readonly isSettled: boolean;
  readonly view: TreeView;
  readonly digests: BaselineDigests;
}

function assembleSnapshot({ rootFacts, exclude, isSettled, view, digests }: Assembly): SnapshotData {
  const indexes = [...view.git.indexes];
  return {
    header: {
      schemaVersion: '1.0',
      roots: rootFacts,
      exclude,
      isSettled,
      problems: view.problems,
      gitEntries: view.gitEntries,
      states: view.git.states,
      indexes: Object.fromEntries(
        indexes.map(([key, { digest, mtimeNs, signature }], blob) => [
          key,
          { blob, digest, mtimeNs: mtimeNs.toString(), signature },
        ]),
      ),
      ignore: view.ignoreSources,
    },
    folders: view.table.text,
    columns: view.table.columns,
    digests,
    blobs: indexes.map(([, { bytes }]) => bytes),
  };
}

function rootFactsOf(root: CheckedRoot): RootFacts {
  const stat = lookAt(root.path);
  const row = new BigInt64Array(STAT_WIDTH).fill(-1n);
  if (stat !== undefined && !isProblem(stat)) writeRow(row, 0, stat);
  return {
    path: root.path,
    git: root.git,
    isWalked: root.isWalked,
    row: STAT_FIELDS.map((_, at) => String(row[at])),
    hasFineTimes: hasFineTimes(root.path),
  };
}

async function digestUnknown(
  view: TreeView,
  o: { crew: Crew; rootFacts: readonly RootFacts[]; youngFromNs: number },
): Promise<BaselineDigests> {
  const coarse = o.rootFacts.filter((root) => !root.hasFineTimes).map(({ path }) => path);
  const unknown = findUnknownContent(view.table, {
    tracked: view.tracked,
    ignore: view.ignore,
    youngFrom: (path) => (coarse.some((root) => path === root || isBelow(path, root)) ? o.youngFromNs : undefined),
  });
  const counter = new SharedArrayBuffer(4);
  const paths = unknown.map(({ path }) => path);
  const links = Uint8Array.from(unknown, ({ isLink }) => (isLink ? 1 : 0));
  if (unknown.length === 0) return packDigests([], new Map());
  const parts = await o.crew.run<'hash'>({ kind: 'hash', input: { counter, paths, links } });
  const contents = new Map(
    parts.flat().flatMap(([at, content]) => ('sha256' in content ? [[at, content.sha256] as const] : [])),
  );
  return packDigests(unknown, contents);
}

/** What could not be read has no digest: a change of it is then judged by its signature alone. */
function packDigests(unknown: readonly UnknownContent[], contents: ReadonlyMap<number, string>): BaselineDigests {
  const kept = unknown.flatMap((entry, at) => {
    const hex = contents.get(at);
    return hex === undefined ? [] : [{ ...entry, hex }];
  });
  const bytes = Buffer.alloc(kept.length * DIGEST_BYTES);
  for (const [at, { hex }] of kept.entries()) bytes.write(hex, at * DIGEST_BYTES, 'hex');
  return {
    rows: Uint32Array.from(kept, ({ row }) => row),
    isYoung: Uint8Array.from(kept, ({ isYoung }) => (isYoung ? 1 : 0)),
    bytes,
  };
}
