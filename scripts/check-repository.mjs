// What no linter knows: sizes of source files, one entry per package, no mark left behind, every package with README and changelog.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const MAX_FILE_LINES = 400;
const FORBIDDEN_NAMES = /^(utils|helpers|common)\.ts$/;
const MARKS = /\b(TODO|FIXME|XXX|HACK)\b|\b(?:it|test|describe)\.(?:only|todo)\(|@ts-(?:ignore|nocheck)|\bvi\.mock\(/;

const files = listed('*.ts', '*.mjs');
const sources = files.filter((file) => /\/src\//.test(file));
const findings = [...sources.flatMap(checkSource), ...files.flatMap(checkMarks), ...packages().flatMap(checkPackage)];
for (const finding of findings) process.stderr.write(`${finding}\n`);
process.stdout.write(`${sources.length} source files looked at\n`);
process.exitCode = findings.length === 0 && sources.length > 0 ? 0 : 1;

function checkSource(file) {
  const lines = readFileSync(join(ROOT, file), 'utf8').split('\n').length;
  return [
    ...(lines > MAX_FILE_LINES ? [`${file}: ${lines} lines, at most ${MAX_FILE_LINES}`] : []),
    ...(FORBIDDEN_NAMES.test(basename(file)) ? [`${file}: a name that says nothing of its room`] : []),
  ];
}

function checkMarks(file) {
  if (file === 'scripts/check-repository.mjs') return [];
  const lines = readFileSync(join(ROOT, file), 'utf8').split('\n');
  return lines.flatMap((line, index) => (MARKS.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : []));
}

function checkPackage(folder) {
  const wanted = ['README.md', 'CHANGELOG.md', 'tsconfig.json', 'turbo.json', 'src'];
  const { name, license } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));
  return [
    ...wanted.filter((file) => !existsSync(join(ROOT, folder, file))).map((file) => `${folder}: no ${file}`),
    ...(license === 'MIT' ? [] : [`${folder}: licence of ${name} is not MIT`]),
    ...(listed(`${folder}/test/*.test.ts`, `${folder}/test/**/*.test.ts`).length === 0 ? [`${folder}: no test`] : []),
  ];
}

function packages() {
  return ['packages', 'apps'].flatMap((group) => readdirSync(join(ROOT, group)).map((name) => `${group}/${name}`));
}

function listed(...patterns) {
  const answer = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...patterns], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return [...new Set(answer.stdout.split('\n').filter((line) => line !== ''))];
}
