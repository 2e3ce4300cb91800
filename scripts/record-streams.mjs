// Records what real agent programs print, as fixtures of agent-providers: one run per program and scenario, offline against the fake model.
// The tools that it offers its model are kept for agent-fakes, as names and forms without a word of description.
// Where a provider knows a transcript, that of the scenario with another model is kept too, unless the program isn't free.
//   node --conditions=@bailiwick/source scripts/record-streams.mjs PROGRAM… [SCENARIO…]
// The programs are those that `pnpm agents` has installed. Of stdout and transcript, paths are replaced, and
// what a vendor writes of its own skills; nothing else.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { AGENT_PROGRAMS, installAgent, modelScenarioOf } from '../apps/test-harness/src/index.ts';
import { startModelServer } from '../packages/agent-fakes/src/index.ts';
import { findProvider } from '../packages/agent-providers/src/index.ts';

const FIXTURES = fileURLToPath(new URL('../packages/agent-providers/test/fixtures/', import.meta.url));
const OFFERED = fileURLToPath(new URL('../packages/agent-fakes/test/fixtures/offered-tools/', import.meta.url));
const SESSION = '6f1c0b52-3b0e-4a0e-9d59-0d4a8f3f6a11';
// What a tool's words say is its vendor's.
const PROSE = ['description', 'title', 'examples', 'default', 'definition', '$schema', 'cache_control'];
const LOOK = { answer: 'tool', text: 'I will look first.', call: { tool: 'shell', command: 'ls -a' } };
// Absolute, since some programs refuse any other path.
const WRITE = { answer: 'tool', call: { tool: 'write', path: '{{Work Tree}}/hello.txt', text: 'hello\n' } };
const DONE = { answer: 'text', text: 'Wrote hello.txt.' };

const SCENARIOS = {
  success: [LOOK, WRITE, DONE],
  'nothing-written': [{ answer: 'text', text: 'There is nothing to do.' }],
  'other-model': [LOOK, { ...DONE, model: 'some-other-model-9' }],
  'hang-then-sigterm': [LOOK, { answer: 'hang', after: 'first-event' }],
};

const names = process.argv.slice(2);
const wanted = Object.keys(SCENARIOS).filter((name) => names.includes(name));
for (const program of AGENT_PROGRAMS.filter(({ id }) => names.includes(id))) {
  const installation = await installAgent(program);
  if (installation.kind === 'missing') throw new Error(installation.reason);
  for (const name of wanted.length === 0 ? Object.keys(SCENARIOS) : wanted) {
    await record(program, installation.command, { name, turns: SCENARIOS[name] });
  }
}

async function record(program, command, { name, turns }) {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'record-')));
  const recordPath = join(base, 'requests.jsonl');
  writeFileSync(recordPath, '');
  // A program that is told the prompt's file asks about hello.txt only once it has read that.
  const scenario = {
    ...modelScenarioOf({ turns }, program),
    ...(program.readsPromptFile ? {} : { promptHolds: 'hello.txt' }),
  };
  const server = await startModelServer({ scenario, recordPath });
  try {
    const run = prepare(program, command, { base, url: server.url });
    const child = spawn(run.argv[0], run.argv.slice(1), {
      cwd: run.cwd,
      env: run.env,
      stdio: ['pipe', 'pipe', 'inherit'],
      detached: true,
    });
    child.stdin.end(run.prompt);
    if (name.includes('sigterm')) await terminateOnceItWaits(child, recordPath);
    const printing = text(child.stdout);
    await once(child, 'exit');
    endGroup(child.pid); // what outlives its leader holds its stdout
    const printed = await printing;
    const file = join(FIXTURES, 'streams', program.id, `recorded-${program.version}-${name}.jsonl`);
    writeFileSync(file, withoutPaths(printed, { base, url: server.url }));
    process.stdout.write(`${file}: exit ${child.exitCode ?? child.signalCode}\n`);
    if (name === 'success') keepOfferedTools(program, readFileSync(recordPath, 'utf8'));
    if (name === 'other-model' && program.licence !== null) keepTranscript(program, run.env, { base, url: server.url });
  } finally {
    await server.close();
    rmSync(base, { recursive: true, force: true });
  }
}

function keepOfferedTools({ id, version }, requests) {
  const rows = requests
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const { url, body } = rows.findLast((row) => row.toolResults > 0 && JSON.stringify(row.body.tools ?? []) !== '[]');
  mkdirSync(OFFERED, { recursive: true });
  const kept = { path: url, tools: withoutProse(body.tools) };
  writeFileSync(join(OFFERED, `${id}-${version}.json`), `${JSON.stringify(kept, undefined, 1)}\n`);
}

/** The form alone. A property of such a name is an object, and stays. */
function withoutProse(value) {
  if (Array.isArray(value)) return value.map(withoutProse);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name, part]) => !(PROSE.includes(name) && typeof part !== 'object'));
  return Object.fromEntries(kept.map(([name, part]) => [name, withoutProse(part)]));
}

function keepTranscript({ id, version }, env, places) {
  const { folder, pattern } = findProvider(id).transcript?.placeOf({ env, sessionId: SESSION }) ?? {};
  if (folder === undefined) return;
  const [path] = globSync(pattern, { cwd: folder });
  if (path === undefined) throw new Error(`${id} left no transcript ${folder}/${pattern}`);
  const file = join(FIXTURES, 'transcripts', `${id}-recorded-${version}-other-model.jsonl`);
  writeFileSync(file, withoutPaths(readFileSync(join(folder, path), 'utf8'), places));
  process.stdout.write(`${file}\n`);
}

/** Once it has handed back a tool result and the model hangs; a moment later, so that what came before is printed. */
async function terminateOnceItWaits(child, recordPath) {
  while (!readFileSync(recordPath, 'utf8').includes('"toolResults":1')) await pause(200);
  await pause(3_000);
  child.kill('SIGTERM');
}

function endGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

/** Everything below one folder: the project, and beside it HOME and the temporary folder. */
function prepare(program, command, { base, url }) {
  const [cwd, home, temporary] = ['project', 'home', 'tmp'].map((folder) => join(base, folder));
  for (const folder of [cwd, home, temporary]) mkdirSync(folder);
  execFileSync('git', ['init', '--quiet'], { cwd });
  const promptPath = join(base, 'prompt.md');
  const prompt = `**Work Tree:** ${cwd}\n\nWrite hello.txt.\n`;
  writeFileSync(promptPath, prompt);
  const {
    argv,
    env,
    homeFiles = [],
  } = findProvider(program.id).command({
    command,
    model: program.modelRef.replace(/^[^/]*\//, program.id === 'opencode' || program.id === 'pi' ? 'openai/' : ''),
    sessionId: SESSION,
    cwd,
    promptPath,
    writeRoots: [],
    role: 'implementer',
    unattendedWrites: true,
    endpoint: { url, apiKey: 'no-key' },
  });
  for (const { path, text: content } of homeFiles) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), content);
  }
  const own = { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, HOME: home, TMPDIR: temporary, LANG: 'C.UTF-8' };
  return { argv, cwd, prompt, env: { ...own, ...env } };
}

function withoutPaths(printed, { base, url }) {
  return printed
    .replaceAll(join(base, 'project'), '/project')
    .replaceAll(base, '/base')
    .replaceAll(url, 'http://127.0.0.1:1')
    .replaceAll(/"description":"(?:[^"\\]|\\.)*"(?=,"source":"builtin")/g, '"description":""');
}
