import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { parseCommandLine, USAGE } from './command-line.ts';
import { openControl } from './control.ts';
import { startFakeCmux } from './start-fake-cmux.ts';

const USAGE_CODE = 2;

/**
 * The program: prints `{"socketPath","environment"}` once it listens, serves until SIGTERM or SIGINT, then writes how its client
 * behaved; exit code 1 where the client did what a well-behaved one doesn't.
 */
export async function runFakeCmux(argv: readonly string[]): Promise<number> {
  const parsed = parseCommandLine(argv);
  if ('usageError' in parsed) {
    process.stderr.write(`${parsed.usageError}\n${USAGE}\n`);
    return USAGE_CODE;
  }
  const { options, controlPath, reportPath } = parsed.ok;
  const fake = await startFakeCmux(options);
  const control = controlPath === undefined ? undefined : await openControl(fake, controlPath);
  const asked = Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]);
  process.stdout.write(`${JSON.stringify({ socketPath: options.socketPath, environment: fake.environment() })}\n`);
  await asked;
  const conduct = fake.conduct();
  const report = `${JSON.stringify({ conduct, requests: fake.requests() })}\n`;
  if (reportPath === undefined) process.stdout.write(report);
  else writeFileSync(reportPath, report);
  control?.close();
  await fake.close();
  return conduct.holds ? 0 : 1;
}
