// Packs every publishable package as it would be released and checks the tarball: publint for the manifest, attw for the types.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const folders = ['packages', 'apps'].flatMap((group) =>
  readdirSync(join(ROOT, group)).map((name) => join(ROOT, group, name)),
);
const out = mkdtempSync(join(tmpdir(), 'bailiwick-pack-'));
try {
  const failures = folders.flatMap(checkPackage);
  for (const failure of failures) process.stderr.write(`${failure}\n`);
  process.stdout.write(`${folders.length} packages packed\n`);
  process.exitCode = failures.length === 0 && folders.length > 0 ? 0 : 1;
} finally {
  rmSync(out, { recursive: true });
}

function checkPackage(folder) {
  const { name, exports = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const tarball = join(out, `${name.replaceAll('/', '-')}.tgz`);
  const packed = run('pnpm', ['pack', '--out', tarball], folder);
  if (packed !== '') return [`${name}: pnpm pack: ${packed}`];
  const findings = [['publint', run('publint', [tarball, '--strict'], folder)]];
  if (exports['.'] !== undefined)
    findings.push(['attw', run('attw', [tarball, '--profile', 'esm-only', '--format', 'ascii'], folder)]);
  return findings.filter(([, words]) => words !== '').map(([tool, words]) => `${name}: ${tool}: ${words}`);
}

/** What a tool said where it failed, else nothing. */
function run(program, args, cwd) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, encoding: 'utf8' });
  return status === 0 ? '' : `${error?.message ?? ''}${stdout}${stderr}`;
}
