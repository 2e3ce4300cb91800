import { runManifestCodec } from '@bailiwick/dispatch-state';
import { parseRunId } from '@bailiwick/execution-identity';
import { describe, expect, it } from 'vitest';
import { draftManifest, poolOf } from '../../src/index.ts';
import { codeOf } from '../support/errors.ts';
import { CONFIG, ENVIRONMENT, environmentWith, projectAt, sampleRun, taskOf } from '../support/sample-run.ts';

const RUN_ID = parseRunId('r-20261129-161800-4f9a2c');
const REQUEST = {
  project: projectAt('/shop', '0123456789abcdef0123456789abcdef01234567'),
  config: CONFIG,
  task: taskOf('# Fix\n'),
  pool: poolOf(CONFIG),
  environment: ENVIRONMENT,
  now: new Date('2026-11-29T16:18:00.000Z'),
};

describe('the team of a run', () => {
  it('has one participant and one role execution for each seat, with the model bound to it', () => {
    const { manifest } = sampleRun();
    expect(manifest.roleExecutions.map((row) => [row.executionLabel, row.role, row.ordinal, row.modelRef])).toEqual([
      ['implementer', 'implementer', 1, 'claude/sonnet'],
      ['verifier-1', 'verifier', 1, 'codex/gpt-5.5'],
      ['verifier-2', 'verifier', 2, 'claude/opus'],
      ['report-writer', 'report-writer', 1, 'gemini/gemini-2.5-pro'],
    ]);
    expect(manifest.participants.map((row) => row.provider)).toEqual(['claude', 'codex', 'claude', 'gemini']);
    expect(
      manifest.roleExecutions.every((row) => row.binding?.runner === 'cli-wrapper' && row.modelSpecDigest !== null),
    ).toBe(true);
    expect(Object.keys(manifest.invocationAssignments)).toEqual(manifest.participants.map((row) => row.workerId));
  });

  it('PL-1 recommends every seat, a report writer only where there is one', () => {
    expect(sampleRun().manifest.recommendedWorkers).toEqual([
      'implementer',
      'verifier-1',
      'verifier-2',
      'report-writer',
    ]);
    const { reportWriter: _, ...team } = CONFIG.team;
    expect(sampleRun(undefined, { config: { ...CONFIG, team } }).manifest.recommendedWorkers).not.toContain(
      'report-writer',
    );
  });

  it.each([
    ['nobody knows', { model: 'claude/no-such' }, ['claude'], 'MODEL_UNKNOWN'],
    ['has no agent here', { model: 'claude/sonnet' }, ['codex'], 'PROVIDER_NOT_INSTALLED'],
  ] as const)('AR-2 is refused with a model that %s', async (_, implementer, installed, code) => {
    const config = { ...CONFIG, team: { implementer, verifiers: [] } };
    expect(
      await codeOf(() => draftManifest({ ...REQUEST, config, environment: environmentWith(...installed) }, RUN_ID)),
    ).toBe(code);
  });
});

describe('the manifest of a new run', () => {
  it('is one that can be stored, in the tree and in a worktree', () => {
    for (const isolation of ['tree', 'worktree'] as const) {
      const manifest = draftManifest({ ...REQUEST, isolation }, RUN_ID);
      expect(runManifestCodec.decode(runManifestCodec.encode(manifest), 'here')).toEqual(manifest);
    }
  });

  it('takes the isolation that is asked for, else the config’s, else the tree', () => {
    const config = { ...CONFIG, isolation: 'worktree' } as const;
    expect(draftManifest(REQUEST, RUN_ID)).toMatchObject({ isolation: 'tree', worktree: null, branch: null });
    expect(draftManifest({ ...REQUEST, config }, RUN_ID)).toMatchObject({
      isolation: 'worktree',
      worktree: `/shop/.bailiwick/worktrees/${RUN_ID}`,
      branch: `bailiwick/${RUN_ID}`,
    });
    expect(draftManifest({ ...REQUEST, config, isolation: 'tree' }, RUN_ID).isolation).toBe('tree');
  });

  it('refuses a worktree where there is no commit to start from', async () => {
    const request = { ...REQUEST, project: projectAt('/shop'), isolation: 'worktree' } as const;
    expect(await codeOf(() => draftManifest(request, RUN_ID))).toBe('NO_COMMIT');
  });

  it('keeps plan, permissions and scratch of task and config', () => {
    const config = { ...CONFIG, git: 'commit', ignored: 'listed', scratch: ['coverage'] } as const;
    expect(draftManifest({ ...REQUEST, config, task: taskOf('x', ['src/**']) }, RUN_ID)).toMatchObject({
      plan: { paths: ['src/**'] },
      git: 'commit',
      ignored: 'listed',
      scratch: ['coverage'],
    });
    expect(draftManifest(REQUEST, RUN_ID)).toMatchObject({
      plan: { paths: [] },
      git: 'none',
      ignored: 'free',
      scratch: [],
    });
  });

  it('makes a task key of any names', () => {
    const odd = draftManifest(
      { ...REQUEST, project: projectAt('/Gäste Haus!'), task: { ...taskOf('x'), path: '/宿.md' } },
      RUN_ID,
    );
    expect(odd.taskKey).toMatch(/^[a-z0-9-]+\/task\/[a-z0-9-]+$/);
    expect(draftManifest(REQUEST, RUN_ID).taskKey).toBe('shop/task/task');
  });
});
