import { runCli } from '../cli/built-cli.ts';
import type { Subject } from './subject.ts';

/** The part of `run verify --json` that is looked at. */
interface Verification {
  readonly seals: number;
  readonly attempts: number;
  readonly superseded: number;
  readonly differences: readonly { readonly code: string; readonly file: string; readonly message: string }[];
}

/** Whether every attempt of a run has its seal, and every seal agrees with records and files. */
export async function sealDifferences({ project, runId }: Subject): Promise<readonly string[]> {
  const { stdout, stderr } = await runCli(project, ['run', 'verify', runId, '--json']);
  if (stdout === '') return [`run verify printed nothing: ${stderr}`];
  const { seals, superseded, attempts, differences }: Verification = JSON.parse(stdout);
  return [
    ...differences.map(({ code, file, message }) => `${code} ${file}: ${message}`),
    ...(seals - superseded === attempts ? [] : [`${seals - superseded} seals stand for ${attempts} attempts`]),
  ];
}
