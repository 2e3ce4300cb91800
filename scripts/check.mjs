// Everything that a reviewer would run by hand, one after another; goes on after a failure, so that one run tells everything.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

const CHECKS = [
  ['format and lint', ['biome', 'check', '--error-on-warnings']],
  ['types and promises', ['oxlint', '--type-aware', '--deny-warnings']],
  ['directions', ['turbo', 'boundaries', '--no-color']],
  ['dead code', ['knip']],
  ['build and types', ['turbo', 'run', 'build', 'typecheck', '--output-logs=errors-only']],
  ['API reports', ['node', 'scripts/api-reports.mjs', '--check']],
  ['packages', ['node', 'scripts/check-packages.mjs']],
  ['docs', ['node', 'scripts/list-error-codes.mjs']],
  ['rules of the repository', ['node', 'scripts/check-repository.mjs']],
];

const failed = CHECKS.filter(([name, command]) => !passes(name, command)).map(([name]) => name);
process.stdout.write(
  failed.length === 0 ? `\nall ${CHECKS.length} checks hold\n` : `\ndoes not hold: ${failed.join(', ')}\n`,
);
process.exitCode = failed.length === 0 ? 0 : 1;

function passes(name, [program, ...args]) {
  process.stdout.write(`\n▸ ${name}\n`);
  const startedMs = performance.now();
  const { status, error } = spawnSync(program, args, {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1' },
  });
  if (error !== undefined) process.stdout.write(`${error.message}\n`);
  process.stdout.write(
    `${status === 0 ? '✓' : '✗'} ${name} (${((performance.now() - startedMs) / 1000).toFixed(1)} s)\n`,
  );
  return status === 0;
}
