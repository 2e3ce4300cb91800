import { execFileSync } from 'node:child_process';
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { compareWithSnapshot, judgeAttempt, takeSnapshot } from '@bailiwick/mutation-audit';
import { testBoundary, testLayer } from '@bailiwick/process-supervision';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { tempFolder } from '../support/temp-folder.ts';
import { type Audited, wrongWords } from './check-audit.ts';
import { boxOf, contractsOf, orchestratorOf } from './contracts.ts';
import { type Holding, runWriters } from './run-writers.ts';
import { FIRST_FILES, type Schedule, schedules, WRITERS } from './schedule.ts';

const PATH = process.env['PATH'] ?? '';
const tested = await testBoundary({ path: PATH });
/** A few in the suite; `pnpm schedules` runs a thousand and tells what they came to. */
const ASKED = process.env['BAILIWICK_SCHEDULES'];
const numRuns = Number(ASKED ?? 6);
const TIMEOUT_MS = 60_000 + numRuns * 10_000;

it(
  `MA-9 MA-10 four writers in one tree, ${tested.kind === 'works' ? 'under bubblewrap and without' : 'none confined'}: each change is attributed as the writers' own ledgers say, or no more is claimed than is known`,
  async () => {
    const scene = makeScene();
    const holding = await holdingOf(scene);
    const tally = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(schedules(holding.program !== undefined), async (schedule) => {
        const { audits, wrong } = await play(scene, schedule, holding);
        for (const grade of audits.flatMap(({ audit }) => audit.changedPaths.map(({ attribution }) => attribution)))
          tally.set(grade, (tally.get(grade) ?? 0) + 1);
        expect(wrong).toEqual([]);
      }),
      { numRuns, endOnFailure: ASKED === undefined },
    );
    expect([...tally.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThan(numRuns);
    if (ASKED !== undefined) process.stdout.write(`${numRuns} schedules, 0 wrong: ${JSON.stringify([...tally])}\n`);
  },
  TIMEOUT_MS,
);

interface Scene {
  readonly root: string;
  readonly stateRoot: string;
  /** Outside the tree: the writers' word is none of what is compared. */
  readonly ledgers: string;
  round: number;
}

async function play(scene: Scene, schedule: Schedule, holding: Holding) {
  mend(scene);
  const jobs = contractsOf(scene, schedule, holding.means !== undefined);
  const snapshotPath = join(scene.stateRoot, `${scene.round++}.snap`);
  const exclude = [...orchestratorOf(scene)];
  await takeSnapshot({ roots: [{ path: scene.root, git: 'auto' }], snapshotPath, exclude });
  const before = lookAt(scene.root);
  const aliasedBefore = [...before.keys()].filter(hasSecondName);
  const ledgers = await runWriters(scene, schedule, { jobs, holding });
  const after = lookAt(scene.root);
  const observation = await compareWithSnapshot({ snapshotPath });
  const said = { declaredEdits: new Map(), attemptFailed: false, resultPresent: true, orchestrator: exclude };
  const audits: readonly Audited[] = jobs.map((self) => ({
    job: self,
    audit: judgeAttempt({ observation, self, batch: jobs, ...said }),
  }));
  const paths = [...new Set([...before.keys(), ...after.keys()])];
  const changed = new Set(paths.filter((path) => before.get(path) !== after.get(path)));
  const aliased = new Set([...aliasedBefore, ...[...after.keys()].filter(hasSecondName)]);
  return { audits, wrong: wrongWords({ root: scene.root, ledgers, jobs, changed, aliased }, audits) };
}

function makeScene(): Scene {
  const base = tempFolder();
  const scene = { root: join(base, 'tree'), stateRoot: join(base, 'state'), ledgers: join(base, 'ledgers'), round: 0 };
  mkdirSync(scene.stateRoot);
  mend(scene);
  for (let at = 0; at < WRITERS; at += 1) mkdirSync(boxOf(scene, at), { recursive: true });
  writeFileSync(join(scene.root, '.gitignore'), 'build/\n.env\n.bailiwick/\n');
  execFileSync('git', ['init', '--quiet'], { cwd: scene.root });
  execFileSync('git', ['add', '--all'], { cwd: scene.root });
  return scene;
}

/** Puts back what the schedules before have taken away; what they left else stays. */
function mend({ root }: Scene): void {
  for (const file of FIRST_FILES.filter((name) => !existsSync(join(root, name)))) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), `${file}\n`);
  }
  const [elsewhere, alias] = [join(root, '..', 'elsewhere.txt'), join(root, 'shared', 'alias.txt')];
  if (existsSync(alias) && hasSecondName(alias)) return;
  for (const path of [elsewhere, alias]) rmSync(path, { force: true });
  writeFileSync(elsewhere, 'two names\n');
  linkSync(elsewhere, alias);
}

async function holdingOf({ root, ledgers }: Scene): Promise<Holding> {
  if (tested.kind !== 'works') return {};
  const { program } = tested;
  const layer = await testLayer({ program, path: PATH, worktree: root, attemptsFolder: ledgers });
  return { program, ...(layer.kind === 'overlay' ? { means: layer.means } : {}) };
}

/** Our own look, which shares nothing with the audit's: path to type, mode and content. */
function lookAt(folder: string, found = new Map<string, string>()): ReadonlyMap<string, string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.name === '.git') continue;
    if (entry.isDirectory()) {
      found.set(path, 'folder');
      lookAt(path, found);
    } else if (entry.isSymbolicLink()) found.set(path, `link to ${readlinkSync(path)}`);
    else found.set(path, `${lstatSync(path).mode} ${readFileSync(path, 'latin1')}`);
  }
  return found;
}

function hasSecondName(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats?.isFile() === true && stats.nlink > 1;
}
