// Uses every package as a stranger would: packed, installed from its tarball into an empty folder outside the workspace, and its
// README's first example run there as it stands. Also: errors of two copies of one package recognise each other.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const wanted = process.argv.slice(2);
const base = mkdtempSync(join(tmpdir(), 'bailiwick-try-'));
const failures = [];
try {
  const packages = readdirSync(join(ROOT, 'packages')).map(describe);
  const tarballs = packages.map(pack);
  const home = install(join(base, 'one'), tarballs);
  const other = install(join(base, 'other'), tarballs);
  const tried = packages
    .filter(({ folder }) => wanted.length === 0 || wanted.includes(folder))
    .filter((row) => runExample(home, row));
  compareErrors(home, other);
  process.stdout.write(`${tried.length} README examples ran, ${failures.length} failed\n`);
  if (tried.length === 0) failures.push('no example was run');
} finally {
  rmSync(base, { recursive: true, force: true });
}
for (const failure of failures) process.stderr.write(`${failure}\n`);
process.exitCode = failures.length === 0 ? 0 : 1;

function describe(folder) {
  const path = join(ROOT, 'packages', folder);
  const { name } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
  const readme = readFileSync(join(path, 'README.md'), 'utf8');
  return { folder, path, name, example: /```(?:ts|js|typescript|javascript)\n([\s\S]*?)```/.exec(readme)?.[1] };
}

function pack({ path, folder }) {
  const tarball = join(base, `${folder}.tgz`);
  run('pnpm', ['pack', '--out', tarball], path);
  return tarball;
}

/** An empty project with all tarballs: packages find each other there as they would in the registry. */
function install(home, tarballs) {
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'package.json'), '{"private":true,"type":"module"}\n');
  run('npm', ['install', '--no-audit', '--no-fund', '--silent', ...tarballs], home);
  return home;
}

function runExample(home, { name, folder, example }) {
  if (example === undefined) {
    failures.push(`${name}: its README has no example`);
    return false;
  }
  const work = join(home, `try-${folder}`);
  mkdirSync(work, { recursive: true });
  spawnSync('git', ['init', '--quiet'], { cwd: work });
  writeFileSync(join(work, 'example.mts'), example);
  const { status, stderr, stdout } = spawnSync(process.execPath, ['example.mts'], {
    cwd: work,
    encoding: 'utf8',
    timeout: 60_000,
  });
  if (status !== 0) failures.push(`${name}: README example: ${stderr || stdout}`);
  return true;
}

/** `isXError` and `instanceof` of one copy say yes to an error of the other. */
function compareErrors(home, other) {
  const script = `
    const at = (folder) => import(folder + '/node_modules/@bailiwick/durable-files/dist/index.js');
    const [one, two] = await Promise.all([at(${JSON.stringify(home)}), at(${JSON.stringify(other)})]);
    const thrown = (copy) => { try { copy.parseDigest('nonsense'); } catch (error) { return error; } };
    if (one === two) throw new Error('both are one copy');
    if (!one.isDurableFileError(thrown(two)) || !(thrown(one) instanceof two.DurableFileError)) throw new Error('not recognised');`;
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  if (status !== 0) failures.push(`errors of two copies: ${stderr}`);
}

function run(program, args, cwd) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args[0]} in ${cwd}: ${error?.message ?? ''}${stdout}${stderr}`);
}
