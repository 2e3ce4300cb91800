// Runs every test once and judges the run by the runner's own JSON. Arguments go to vitest.
// Fails where the test files that ran are not those that git knows, where bubblewrap works and no test of the boundary ran, or where no
// test made the command line print one of its documents: what is never run proves nothing.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const REPORT = new URL('../.reports/tests.json', import.meta.url);
/** The name of each document that a test held against its published schema. */
const DOCUMENTS = new URL('../.reports/documents/', import.meta.url);
const SCHEMAS = new URL('../apps/cli/schema/', import.meta.url);
const args = process.argv.slice(2);

mkdirSync(new URL('.', REPORT), { recursive: true });
rmSync(REPORT, { force: true });
rmSync(DOCUMENTS, { recursive: true, force: true });
const runner = spawnSync(
  'vitest',
  [
    'run',
    '--config=vitest.all.config.ts',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${fileURLToPath(REPORT)}`,
    ...args,
  ],
  {
    cwd: ROOT,
    stdio: 'inherit',
  },
);
const report = JSON.parse(readFileSync(REPORT, 'utf8'));
const isWhole = args.length > 0 || (runsEveryFile(report) && runsBoundary(report) && printsEveryDocument());
const holds = runner.status === 0 && report.success && report.numPassedTests > 0 && isWhole;
process.exitCode = holds ? 0 : 1;

function runsEveryFile({ testResults }) {
  const known = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.test.ts'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  const files = known.stdout.split('\n').filter((line) => line !== '');
  if (files.length === testResults.length) return true;
  const ran = new Set(testResults.map((result) => result.name.slice(ROOT.length)));
  process.stderr.write(`error: ${files.length} test files are in git, ${testResults.length} ran\n`);
  for (const file of files) if (!ran.has(file)) process.stderr.write(`  did not run: ${file}\n`);
  return false;
}

/** Tests under bubblewrap are skipped by name where it doesn't work, never where it does. */
function runsBoundary({ testResults }) {
  const tests = testResults
    .flatMap((result) => result.assertionResults)
    .filter(({ fullName }) => fullName.includes('under bubblewrap'));
  const passed = tests.filter(({ status }) => status === 'passed').length;
  if (passed > 0 || !bubblewrapWorks()) {
    if (passed === 0)
      process.stderr.write(`bubblewrap doesn't work here: ${tests.length} tests of the boundary were skipped\n`);
    return true;
  }
  process.stderr.write(`error: bubblewrap works here, and none of ${tests.length} tests of the boundary ran\n`);
  return false;
}

function printsEveryDocument() {
  const published = readdirSync(SCHEMAS).map((file) => file.replace(/-v\d+\.json$/, ''));
  const missing = published.filter((name) => !existsSync(new URL(name, DOCUMENTS)));
  if (missing.length > 0) process.stderr.write(`error: no test printed these documents: ${missing.join(', ')}\n`);
  return missing.length === 0;
}

function bubblewrapWorks() {
  const options = ['--unshare-user', '--unshare-pid', '--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'];
  return spawnSync('bwrap', [...options, 'true'], { stdio: 'ignore' }).status === 0;
}
