import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tryLock } from '@bailiwick/durable-files';
import { parseBatchId, parseDutyId, parseInvocationRef, parseRunId } from '@bailiwick/execution-identity';
import { describe, expect, it } from 'vitest';
import {
  appendSelection,
  createRun,
  foldersOf,
  invocationPathOf,
  layoutOfRun,
  listRuns,
  loadManifest,
  logSizeOf,
  readInvocation,
  readSidecar,
  runLockPathOf,
  runsFolderOf,
  saveInvocation,
  sidecarPathOf,
  withRunLock,
  writeSidecar,
} from '../src/index.ts';
import { errorOf, fileErrorOf } from './support/errors.ts';
import { bareRun, invocationLike, manifestLike, newRun, sidecarLike, workers } from './support/samples.ts';
import { tempFolder } from './support/temp-folder.ts';

describe('a run', () => {
  it('has its folders, closed to others, and its manifest as it was given', async () => {
    const { layout, manifest } = await newRun();
    expect(foldersOf(layout).map((path) => statSync(path).mode & 0o777)).toEqual(foldersOf(layout).map(() => 0o700));
    expect(await loadManifest(layout)).toEqual(manifest);
  });

  it('ST-6 that is there is never made again, and its manifest stays', async () => {
    const { layout, manifest } = await newRun();
    const again = await errorOf('RUN_EXISTS', () => createRun(layout, { ...manifest, git: 'commit' }));
    expect(again).toMatchObject({ path: layout.manifestPath, cause: { code: 'FILE_EXISTS' } });
    expect(await loadManifest(layout)).toEqual(manifest);
  });

  it('with an impossible manifest is not made', async () => {
    const layout = layoutOfRun(tempFolder(), parseRunId('r-1'));
    const bad = manifestLike('shared-tree', { recommendedWorkers: workers('nobody') });
    const { issues } = await fileErrorOf('DOCUMENT_INVALID', () => createRun(layout, bad));
    expect(issues?.[0]?.path).toBe('/recommendedWorkers/0');
    await errorOf('RUN_MISSING', () => loadManifest(layout));
  });

  it('without a manifest is missing, and the error says how to find the others', async () => {
    const layout = layoutOfRun(tempFolder(), parseRunId('r-1'));
    const error = await errorOf('RUN_MISSING', () => loadManifest(layout));
    expect(error.message).toContain('r-1');
    expect(error.hint).toContain('bailiwick run list');
  });

  it('with a damaged manifest is refused, and its bytes are kept aside', async () => {
    const { layout } = await newRun();
    writeFileSync(layout.manifestPath, '{"schemaVersion":"2.0"');
    const error = await fileErrorOf('DOCUMENT_DAMAGED', () => loadManifest(layout));
    expect(error.keptAt).toMatch(/run-manifest\.json\.damaged-[0-9a-f]{8}$/);
  });
});

describe('listRuns', () => {
  it('names runs in the order of their ids, and none that has no manifest yet', async () => {
    const root = tempFolder();
    const ids = ['r-20261130-000000-aaaaaa', 'r-20261129-000000-bbbbbb', 'R-Upper'].map((id) => parseRunId(id));
    for (const runId of ids) await createRun(layoutOfRun(root, runId), manifestLike('shared-tree', { runId }));
    mkdirSync(layoutOfRun(root, parseRunId('r-half')).runDirectory);
    mkdirSync(join(runsFolderOf(root), 'not a run'));
    expect(await listRuns(root)).toEqual(['R-Upper', 'r-20261129-000000-bbbbbb', 'r-20261130-000000-aaaaaa']);
  });

  it('is empty where no run was ever made', async () => {
    expect(await listRuns(tempFolder())).toEqual([]);
  });
});

describe('withRunLock', () => {
  it('keeps others out while it works, and gives back what the work gives', async () => {
    const layout = bareRun();
    const inside = await withRunLock(layout, async () => tryLock(runLockPathOf(layout)) === undefined);
    expect(inside).toBe(true);
    const after = tryLock(runLockPathOf(layout));
    expect(after).toBeDefined();
    after?.release();
  });
});

describe('an invocation', () => {
  it('ST-6 is stored once: the same again is no write', async () => {
    const { layout } = await newRun();
    const invocation = invocationLike('implementer');
    await saveInvocation(layout, invocation);
    const { mtimeNs } = statSync(invocationPathOf(layout, invocation.invocationRef), { bigint: true });
    await saveInvocation(layout, { ...invocation });
    expect(statSync(invocationPathOf(layout, invocation.invocationRef), { bigint: true }).mtimeNs).toBe(mtimeNs);
    expect(await readInvocation(layout, invocation.invocationRef)).toEqual(invocation);
  });

  it('ID-8 with another round than its kind has is not stored', async () => {
    const { layout } = await newRun();
    const invocation = invocationLike('implementer');
    for (const [dispatchKind, round] of [
      ['initial', 2],
      ['reverify-r3', 1],
    ] as const) {
      const { issues } = await fileErrorOf('DOCUMENT_INVALID', () =>
        saveInvocation(layout, { ...invocation, dispatchKind, round }),
      );
      expect(issues?.map(({ path }) => path)).toEqual(['/round']);
    }
    expect(await readInvocation(layout, invocation.invocationRef)).toBeUndefined();
  });

  it('WP-6 with another contract than the stored one is refused by the names of what differs', async () => {
    const { layout } = await newRun();
    const invocation = invocationLike('implementer');
    await saveInvocation(layout, invocation);
    const other = { ...invocation, writePolicy: { ...invocation.writePolicy, scratch: ['/shop/tmp'] } };
    const error = await errorOf('INVOCATION_DIFFERS', () =>
      saveInvocation(layout, { ...other, dutyId: parseDutyId('another') }),
    );
    expect(error.message).toContain('dutyId, writePolicy');
    expect(await readInvocation(layout, invocation.invocationRef)).toEqual(invocation);
  });

  it('that was never stored is undefined', async () => {
    expect(await readInvocation(bareRun(), parseInvocationRef('inv-1'))).toBeUndefined();
  });
});

describe('a sidecar', () => {
  it('AR-10 keeps which turn deviated and where sources disagreed', async () => {
    const { layout } = await newRun();
    const sidecar = sidecarLike('mismatch');
    const path = sidecarPathOf(layout, sidecar.dispatchId);
    expect(await readSidecar(path)).toBeUndefined();
    await writeSidecar(path, sidecar);
    const { servedModel } = (await readSidecar(path)) ?? {};
    expect(servedModel?.deviation).toMatchObject({ turn: 4, raw: 'claude-haiku-4-5' });
    expect(servedModel?.disagreements?.[0]?.overruled).toEqual([{ raw: 'claude-sonnet-4-6', source: 'stream' }]);
  });

  it('with whatever an agent printed of itself can be written', async () => {
    const { layout } = await newRun();
    const odd = '\u0000\u001b[31m\ud800 “x”\n';
    const servedModel = { ...sidecarLike('exited').servedModel, reported: [odd], normalizedModelRef: odd };
    const sidecar = sidecarLike('exited', { lastLine: odd, reportedSessionId: odd, reason: odd, servedModel });
    const path = sidecarPathOf(layout, sidecar.dispatchId);
    await writeSidecar(path, sidecar);
    expect(await readSidecar(path)).toEqual(sidecar);
  });
});

describe('logSizeOf', () => {
  it('is where rows of an attempt that is claimed now will begin, 0 before the first', async () => {
    const layout = bareRun();
    expect(await logSizeOf(layout.selectionsLogPath)).toBe(0);
    const at = '2026-11-29T16:20:00.000Z';
    await appendSelection(layout, { at, batchId: parseBatchId('b-1'), selected: [], skipped: [] });
    expect(await logSizeOf(layout.selectionsLogPath)).toBe(statSync(layout.selectionsLogPath).size);
  });
});
