// Compares the error codes of all packages with docs/reference/errors.md: each code is documented, and no other one is.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PAGE = 'docs/reference/errors.md';
/** Codes that stand outside a package's src/errors.ts, with the file that makes them. */
const ELSEWHERE = {
  bailiwick: { INTERNAL: 'apps/cli/src/error-report.ts', USAGE: 'apps/cli/src/program.ts' },
  '@bailiwick/process-supervision': { SUPERVISOR_FAILED: 'packages/process-supervision/src/supervisor.ts' },
};

const inSource = codesInSource();
const onPage = codesOnPage();
const findings = [
  ...[...inSource].filter((row) => !onPage.has(row)).map((row) => `not in ${PAGE}: ${row}`),
  ...[...onPage].filter((row) => !inSource.has(row)).map((row) => `in ${PAGE}, but no code of ours: ${row}`),
];
for (const finding of findings) process.stderr.write(`${finding}\n`);
process.stdout.write(`${inSource.size} error codes looked at\n`);
process.exitCode = findings.length === 0 && inSource.size > 0 ? 0 : 1;

/** Rows `<package> <CODE>`. */
function codesInSource() {
  const packages = readdirSync(`${ROOT}packages`).flatMap((folder) =>
    literals(textOf(`packages/${folder}/src/errors.ts`)).map((code) => `@bailiwick/${folder} ${code}`),
  );
  const others = Object.entries(ELSEWHERE).flatMap(([name, codes]) =>
    Object.entries(codes).flatMap(([code, file]) => (textOf(file).includes(`'${code}'`) ? [`${name} ${code}`] : [])),
  );
  return new Set([...packages, ...others]);
}

/** A heading names the package, the first cell of each row below it a code. */
function codesOnPage() {
  const rows = new Set();
  let name = '';
  for (const line of textOf(PAGE).split('\n')) {
    name = /^## `(.+)`/.exec(line)?.[1] ?? name;
    const code = /^\| `([A-Z][A-Z0-9_]+)` /.exec(line)?.[1];
    if (code !== undefined) rows.add(`${name} ${code}`);
  }
  return rows;
}

function literals(text) {
  return [...text.matchAll(/'([A-Z][A-Z0-9_]{3,})'/g)].map(([, code]) => code);
}

/** A package without error codes has no such file. */
function textOf(file) {
  try {
    return readFileSync(`${ROOT}${file}`, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return '';
    throw error;
  }
}
