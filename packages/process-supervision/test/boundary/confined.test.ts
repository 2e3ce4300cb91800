import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { StatusSidecar, SupervisedJob } from '@bailiwick/dispatch-state';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endProcessTree, findAttemptProcesses, namespaceNoteOf, testBoundary } from '../../src/index.ts';
import { confined, tested } from '../support/confined.ts';
import { launchSupervisor } from '../support/launch.ts';
import { expectNothingLeft } from '../support/nothing-left.ts';
import { makeTestRun, type TestRun } from '../support/test-run.ts';
import { until } from '../support/until.ts';

/** A folder that can be written and isn't a temporary one, where there is such a folder. */
const ELSEWHERE = [fileURLToPath(new URL('../../node_modules/', import.meta.url)), homedir()].find(
  (folder) => !/^\/(?:var\/)?tmp(?:\/|$)/.test(folder) && isWritable(folder),
);

let run: TestRun;
beforeAll(async () => {
  run = await makeTestRun();
});
afterAll(() => run.remove());
afterAll(expectNothingLeft);

describe('the self-test of the boundary', () => {
  it('WP-5 says why there is none', async () => {
    expect(await testBoundary({ path: '/nonexistent' })).toEqual({
      kind: 'unavailable',
      reason: expect.stringMatching(/not on PATH|needs Linux/),
    });
  });

  it.skipIf(process.platform !== 'linux')('WP-5 believes nothing that starts, and holds no write back', async () => {
    mkdirSync(run.path('bin'));
    const script = '#!/bin/sh\nwhile [ "$1" != -- ]; do shift; done; shift; exec "$@"\n';
    writeFileSync(run.path('bin/bwrap'), script, { mode: 0o755 });
    expect(await testBoundary({ path: run.path('bin') })).toEqual({
      kind: 'unavailable',
      reason: 'bubblewrap started, and held no write back',
    });
  });
});

describe.skipIf(tested.kind !== 'works')('an attempt under bubblewrap', () => {
  let jobs: Readonly<Record<keyof Awaited<ReturnType<typeof makeJobs>>, SupervisedJob>>;
  const sidecarOf = (name: keyof typeof jobs): Promise<StatusSidecar | undefined> => run.sidecar(jobs[name]);

  beforeAll(async () => {
    jobs = await makeJobs(run);
    await launchSupervisor(run.order(Object.values(jobs), { maxConcurrent: 20 })).ended;
  });

  it('never runs behind a planted link, and nothing is made outside (CVE-2026-87766)', async () => {
    for (const name of ['behindLink', 'danglingLink'] as const) {
      const reason = expect.stringContaining('symbolic link');
      expect(await sidecarOf(name)).toMatchObject({ stage: 'launch-failed', reason });
    }
    expect(await sidecarOf('missing')).toMatchObject({ exitCode: 0 });
    expect(readdirSync(run.path('victim'))).toEqual(['x']);
    expect(readdirSync(run.path('work')).sort()).toEqual(['conf', 'plain']);
  });

  it('WP-5 a boundary that fails to start is a failed launch, and the agent never ran', async () => {
    expect(await sidecarOf('broken')).toMatchObject({
      stage: 'launch-failed',
      reason: expect.stringContaining('boundary'),
    });
    expect(await run.log(jobs.broken)).toContain('no room');
    expect(await run.read('out/broken')).toBeUndefined();
  });

  it('what the agent started ends with it, in a session of its own too', async () => {
    expect(await sidecarOf('leaves')).toMatchObject({ exitCode: 0, endProof: 'namespace', leftProcesses: 0 });
    for (const { dispatchId } of Object.values(jobs)) expect(await findAttemptProcesses(dispatchId)).toEqual([]);
  });

  it('a crash keeps its signal, and a code of its own its code', async () => {
    expect(await sidecarOf('crashes')).toMatchObject({ exitCode: null, signal: 'SIGSEGV', endProof: 'namespace' });
    expect(await sidecarOf('exits143')).toMatchObject({ exitCode: 143, signal: null });
  });

  it('a hard limit asks the agent first, which gets its grace, then ends what ignores it', async () => {
    const end = { stage: 'timed-out', endProof: 'namespace' };
    expect(await sidecarOf('polite')).toMatchObject({ ...end, exitCode: 0 });
    expect(await sidecarOf('stubborn')).toMatchObject(end);
    expect(await run.read('out/bye')).toBe('bye\n');
  });

  it('reads tool chains and logins where the user has them, and writes only the login', async () => {
    expect(await run.read('out/author')).toBe('Ada\n');
    expect(await run.read('out/cargo')).toBe(`${run.path('home/.cargo')}\n`);
    expect(await run.read('out/token')).toBe('old');
    expect(readFileSync(run.path('home/token'), 'utf8')).toBe('new');
    expect(readdirSync(run.path('home/.cargo'))).toEqual([]);
  });

  it("B37 reaches no socket of /run and none of the supervisors'", async () => {
    expect(await run.read('out/runtime')).toBe('\n');
    expect(await run.read('out/hidden')).toBe('');
    const entries = readdirSync('/run').filter(
      (name) => statSync(join('/run', name), { throwIfNoEntry: false })?.isSocket() === true,
    );
    for (const name of entries) expect(await run.read('out/run')).not.toContain(name);
  });

  it('AW-4 dies with its supervisor, and whoever clears up after both can prove it', async () => {
    const job = await confined(run, 'setsid sleep 60 & touch "$OUT/lives"; sleep 60');
    const supervisor = launchSupervisor(run.order([job]));
    await until('it runs', () => existsSync(run.path('out/lives')));
    const process = (await run.sidecar(job))?.process;
    if (!process) throw new Error('it has no process');
    const lost = { fence: job.dispatchId, process, graceMs: 0 };
    const namespaceNote = namespaceNoteOf(job.sidecarPath);
    supervisor.child.kill('SIGKILL');
    expect(await endProcessTree({ ...lost, namespaceNote })).toMatchObject({ isGone: true, endProof: 'namespace' });
    expect(await findAttemptProcesses(job.dispatchId)).toEqual([]);
    expect(await endProcessTree(lost)).toMatchObject({ isGone: true, endProof: 'search' });
    // A pid that was given away since is another process; one of that namespace would be alive.
    const note = (pid: number, inode: string): void =>
      writeFileSync(namespaceNote, `{"child-pid": ${pid}, "pid-namespace": ${inode}}\n`);
    const [, own = ''] = /pid:\[(\d+)\]/.exec(readlinkSync('/proc/self/ns/pid')) ?? [];
    note(globalThis.process.pid, '1');
    expect(await endProcessTree({ ...lost, namespaceNote })).toMatchObject({ endProof: 'namespace' });
    note(globalThis.process.pid, own);
    expect(await endProcessTree({ ...lost, namespaceNote })).toMatchObject({ endProof: 'search' });
    writeFileSync(namespaceNote, '{"child-pid": 1');
    expect(await endProcessTree({ ...lost, namespaceNote })).toMatchObject({ endProof: 'search' });
  });

  it('leaves no note of a namespace whose end its supervisor saw', () => {
    for (const { sidecarPath } of Object.values(jobs)) expect(existsSync(namespaceNoteOf(sidecarPath))).toBe(false);
  });

  it.skipIf(ELSEWHERE === undefined)(
    'B23 B24 has a temporary folder of its own where the project is elsewhere',
    async () => {
      const elsewhere = await makeTestRun(ELSEWHERE);
      try {
        const [one, two] = ['/tmp', '/var/tmp'].map((folder) => join(folder, `bailiwick-private-${process.pid}`));
        const job = await confined(elsewhere, `echo mine > ${one} && echo mine > ${two} && cp ${one} "$OUT/seen"`);
        const withPath = { ...job, env: { ...job.env, PATH: '/usr/bin:/bin' } };
        await launchSupervisor(elsewhere.order([withPath])).ended;
        expect(await elsewhere.read('out/seen')).toBe('mine\n');
        expect([one, two].filter((path) => existsSync(path ?? ''))).toEqual([]);
      } finally {
        await elsewhere.remove();
      }
    },
  );
});

const LIMITS = { hardMs: 700, idleMs: 60_000, graceMs: 700 };

async function makeJobs(scene: TestRun) {
  const path = (name: string): string => scene.path(name);
  const make = (script: string, changes: Parameters<typeof confined>[2] = {}): Promise<SupervisedJob> =>
    confined(scene, script, changes);
  plantLinks(scene);
  fillHome(scene);
  const broken = path('broken-bwrap');
  writeFileSync(broken, '#!/bin/sh\necho "bwrap: no room" >&2; exit 1\n', { mode: 0o755 });
  const logins = ['token', 'none'].map((name) => ({ source: path(`home/${name}`), below: `.agent/${name}` }));
  const reads = await make(READS, {
    privateHome: { userHome: path('home'), logins },
    hidden: [path('sockets'), path('none')],
  });
  return {
    behindLink: await make('true', { readOnly: [path('work/plain/x')] }),
    danglingLink: await make('true', { readOnly: [path('work/conf')] }),
    missing: await make('true', { readOnly: [path('work/conf/.env'), path('work/.env')] }),
    broken: await make('touch "$OUT/broken"', { program: broken }),
    leaves: await make('setsid sh -c "trap \'\' TERM HUP; exec sleep 60" & echo started'),
    crashes: await make('kill -SEGV $$'),
    exits143: await make('exit 143'),
    polite: {
      ...(await make('trap \'sleep 0.1; echo bye > "$OUT/bye"; exit 0\' TERM; while :; do sleep 0.05; done')),
      limits: LIMITS,
    },
    stubborn: {
      ...(await make("trap '' TERM; setsid sleep 60 & while :; do sleep 0.05; done")),
      limits: LIMITS,
    },
    reads: { ...reads, env: { ...reads.env, XDG_RUNTIME_DIR: '/run/user/0', SOCKETS: path('sockets') } },
  };
}

const READS = [
  'git config user.name > "$OUT/author"',
  'echo "$CARGO_HOME" > "$OUT/cargo"',
  'cat "$HOME/.agent/token" > "$OUT/token"',
  'printf new > "$HOME/.agent/token"',
  'touch "$CARGO_HOME/x" 2>/dev/null',
  'ls -A /run > "$OUT/run"',
  'ls -A "$SOCKETS" > "$OUT/hidden"',
  'echo "$XDG_RUNTIME_DIR" > "$OUT/runtime"',
].join('; ');

/** What an earlier worker may have left for the next one's bubblewrap to follow. */
function plantLinks(scene: TestRun): void {
  mkdirSync(scene.path('victim/x'), { recursive: true });
  symlinkSync(`/oldroot${scene.path('victim')}`, scene.path('work/conf'));
  symlinkSync(scene.path('victim'), scene.path('work/plain'));
}

function fillHome(scene: TestRun): void {
  mkdirSync(scene.path('home/.cargo'), { recursive: true });
  mkdirSync(scene.path('sockets'));
  writeFileSync(scene.path('sockets/one.sock'), '');
  writeFileSync(scene.path('home/.gitconfig'), '[user]\n\tname = Ada\n');
  writeFileSync(scene.path('home/token'), 'old');
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
