// The two commands of the README, on a machine that has git, Node >= 20 and npm and nothing else: set-up, then the work.
// Plain JavaScript without dependencies, since it runs before anything is installed.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OLDEST_NODE = 20;
const REACHABLE = 'is the npm registry reachable from here? `npm ping` tells';
const TASKS = { demo: '_demo', test: '_test' };

const [task = '', ...rest] = process.argv.slice(2);
const script = TASKS[task];
if (script === undefined) stop(`unknown task "${task}"`, `one of: ${Object.keys(TASKS).join(', ')}`);

checkMachine();
say('set-up: installing what the lockfile names (the first time takes about half a minute)');
const pnpm = fetchPnpm();
install(pnpm);
say(`${task}…`);
process.exitCode = run(pnpm, ['run', script, ...rest]);

function checkMachine() {
  const major = Number(process.versions.node.split('.')[0]);
  if (major < OLDEST_NODE) stop(`Node ${process.versions.node} is too old`, `install Node ${OLDEST_NODE} or newer`);
  if (process.platform === 'win32') stop('Windows is not supported', 'use WSL2, Linux or macOS');
  if (!answers('git', ['--version'])) stop('git is not on PATH', 'install git 2.31 or newer');
  if (!answers('npm', ['--version'])) stop('npm is not on PATH', 'install Node with npm');
}

/** Where npx has put exactly the pnpm that the lockfile was made with; it is asked once, since each of its starts takes seconds. */
function fetchPnpm() {
  const { packageManager } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const args = ['--yes', `--package=${packageManager}`, '--call', 'command -v pnpm'];
  const asked = spawnSync('npx', args, { stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8', env: environment() });
  const path = asked.stdout?.trim();
  if (asked.status !== 0 || !path) stop(`${packageManager} could not be fetched`, REACHABLE);
  return path;
}

function install(pnpm) {
  const code = run(pnpm, ['install', '--frozen-lockfile', '--reporter=append-only', '--loglevel=warn']);
  if (code !== 0) stop('the set-up failed', REACHABLE);
}

/** With pnpm on the PATH of everything below, for what it starts calls it by its name. */
function run(pnpm, args) {
  const PATH = `${dirname(pnpm)}${delimiter}${process.env.PATH ?? ''}`;
  const result = spawnSync(pnpm, args, { cwd: ROOT, stdio: 'inherit', env: { ...environment(), PATH } });
  if (result.error !== undefined)
    stop(`pnpm did not start: ${result.error.message}`, 'remove the npx cache of npm, and try again');
  if (result.signal !== null) process.kill(process.pid, result.signal);
  return result.status ?? 1;
}

function environment() {
  return { ...process.env, TURBO_TELEMETRY_DISABLED: '1', npm_config_update_notifier: 'false' };
}

function answers(program, args) {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0;
}

function say(line) {
  process.stderr.write(`\u001b[2m▸\u001b[0m ${line}\n`);
}

function stop(what, remedy) {
  process.stderr.write(`error: ${what}; ${remedy}\n`);
  process.exit(1);
}
