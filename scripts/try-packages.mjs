// Uses every package as a stranger would: packed, installed from its tarball into an empty folder outside the workspace with nothing but
// what it depends on, and its README's first example run there as it stands. Also: errors of two versions of a package, installed in two
// folders, recognise each other. Arguments name packages by their folder; without any all are tried.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** What the second copies are packed as; any other version than the packages have now. */
const OTHER_VERSION = '99.0.0';
const wanted = process.argv.slice(2);
const base = mkdtempSync(join(tmpdir(), 'bailiwick-try-'));
const failures = [];
try {
  const packages = readdirSync(join(ROOT, 'packages')).map(describe);
  const tried = packages.filter(({ folder }) => wanted.length === 0 || wanted.includes(folder));
  const needed = new Set(tried.flatMap((row) => withDependencies(row, packages)));
  const tarballs = new Map([...needed].map((row) => [row.name, pack(row)]));
  const others = new Map([...needed].map((row) => [row.name, packAgain(row, tarballs.get(row.name), needed)]));
  const ran = tried.filter((row) => runExample(installAlone(row, packages, tarballs), row));
  const compared = await compareErrors(tried, install(join(base, 'one'), tarballs), install(join(base, 'two'), others));
  process.stdout.write(`${ran.length} README examples ran, ${compared} kinds of errors of two versions compared, `);
  process.stdout.write(`${failures.length} failed\n`);
  if (ran.length === 0) failures.push('no example was run');
  if (compared === 0) failures.push('no errors were compared');
} finally {
  rmSync(base, { recursive: true, force: true });
}
for (const failure of failures) process.stderr.write(`${failure}\n`);
process.exitCode = failures.length === 0 ? 0 : 1;

function describe(folder) {
  const path = join(ROOT, 'packages', folder);
  const { name, dependencies = {} } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
  const readme = readFileSync(join(path, 'README.md'), 'utf8');
  const example = /```(?:ts|js|typescript|javascript)\n([\s\S]*?)```/.exec(readme)?.[1];
  const told = /npm install (.*)/.exec(readme)?.[1]?.split(/\s+/) ?? [];
  // What the README tells to install beside the package itself: others of ours count as needed, the rest comes from the registry.
  const others = told.filter((word) => word !== '' && !word.startsWith('-') && word !== name);
  const needs = [...Object.keys(dependencies), ...others];
  return { folder, path, name, example, needs, beside: others.filter((word) => !word.startsWith('@bailiwick/')) };
}

/** A package and all of ours that it needs. */
function withDependencies(row, packages, seen = new Set()) {
  if (seen.has(row)) return [];
  seen.add(row);
  const direct = packages.filter(({ name }) => row.needs.includes(name));
  return [row, ...direct.flatMap((dependency) => withDependencies(dependency, packages, seen))];
}

function pack({ path, folder }) {
  const tarball = join(base, `${folder}.tgz`);
  run('pnpm', ['pack', '--out', tarball], path);
  return tarball;
}

/** The same package under another version, which those of ours that need it ask for. */
function packAgain({ folder }, tarball, needed) {
  const unpacked = join(base, 'again', folder);
  mkdirSync(unpacked, { recursive: true });
  run('tar', ['-xzf', tarball, '-C', unpacked], base);
  const manifestPath = join(unpacked, 'package', 'package.json');
  const manifest = JSON.parse(readFileSync(manifestPath, 'utf8'));
  manifest.version = OTHER_VERSION;
  for (const { name } of needed)
    if (manifest.dependencies?.[name] !== undefined) manifest.dependencies[name] = OTHER_VERSION;
  writeFileSync(manifestPath, JSON.stringify(manifest));
  const again = join(base, `${folder}-again.tgz`);
  run('tar', ['-czf', again, '-C', unpacked, 'package'], base);
  return again;
}

/** An empty project with one package, what it depends on, and what its README tells to install beside it. */
function installAlone(row, packages, tarballs) {
  const closure = withDependencies(row, packages).map(({ name }) => [name, tarballs.get(name)]);
  return install(join(base, 'alone', row.folder), new Map([...closure, ...row.beside.map((word) => [word, word])]));
}

/** An empty project with these tarballs: packages find each other there as they would in the registry. */
function install(home, tarballs) {
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'package.json'), '{"private":true,"type":"module"}\n');
  run('npm', ['install', '--no-audit', '--no-fund', '--silent', '--prefer-offline', ...tarballs.values()], home);
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

/** How many kinds of errors there are in both copies; `isXError` and `instanceof` of either say yes to the other's. */
async function compareErrors(packages, one, two) {
  const kinds = await Promise.all(packages.map(({ name }) => compareErrorsOf(name, one, two)));
  return kinds.reduce((sum, count) => sum + count, 0);
}

async function compareErrorsOf(name, one, two) {
  const [ours, theirs] = [one, two].map((home) => join(home, 'node_modules', name));
  const versions = [ours, theirs].map((path) => JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')).version);
  if (versions[0] === versions[1]) failures.push(`${name}: both copies are ${versions[0]}`);
  const [first, second] = await Promise.all([ours, theirs].map(importFrom));
  const kinds = Object.keys(first).filter((key) => /^is[A-Z]\w*Error$/.test(key));
  for (const kind of kinds) {
    const isKnown = recognises(first, second, kind) && recognises(second, first, kind);
    if (!isKnown) failures.push(`${name}: ${kind} of ${versions.join(' and ')} don't recognise each other's errors`);
  }
  return kinds.length;
}

function importFrom(path) {
  return import(pathToFileURL(join(path, 'dist', 'index.js')).href);
}

function recognises(here, there, kind) {
  const className = kind.slice('is'.length);
  const [code] = Object.values(there[`${className}Code`] ?? {});
  const error = new there[className](code, 'made by another version', {});
  return here !== there && here[kind](error) && error instanceof here[className] && error.code === code;
}

function run(program, args, cwd) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args[0]} in ${cwd}: ${error?.message ?? ''}${stdout}${stderr}`);
}
