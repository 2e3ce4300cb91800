import { execFile } from 'node:child_process';
import { isAbsolute } from 'node:path';

/** A version of the app: `0.64.17`. */
export type CmuxVersion = readonly [number, number, number];

/**
 * The oldest that workers run in: 0.63 can't split without taking the focus or say where a new surface is, and terminals in the
 * background don't start from 0.64.0 to 0.64.6.
 */
export const OLDEST_SUPPORTED: CmuxVersion = [0, 64, 7];

const VERSION_TIMEOUT_MS = 5_000;

/** What `cmux --version` prints, e.g. `cmux 0.64.22 (102) [ddd4a01bc]`; undefined for anything else. */
export function parseVersion(text: string): CmuxVersion | undefined {
  const [, major, minor, patch = '0'] = /^cmux v?(\d+)\.(\d+)(?:\.(\d+))?\b/.exec(text.trim()) ?? [];
  return major === undefined || minor === undefined ? undefined : [Number(major), Number(minor), Number(patch)];
}

export function versionText(version: CmuxVersion): string {
  return version.join('.');
}

export function isSupported(version: CmuxVersion): boolean {
  const index = version.findIndex((part, at) => part !== OLDEST_SUPPORTED[at]);
  return index === -1 || (version[index] ?? 0) > (OLDEST_SUPPORTED[index] ?? 0);
}

/** Asks the app's own command line, which needs no socket for it; undefined where it can't be asked, as over a relay. */
export async function askVersion(cliPath: string): Promise<CmuxVersion | undefined> {
  if (!isAbsolute(cliPath)) return undefined;
  const printed = await new Promise<string>((resolve) => {
    const options = { timeout: VERSION_TIMEOUT_MS, env: { PATH: '/usr/bin:/bin', CMUX_QUIET: '1' } };
    execFile(cliPath, ['--version'], options, (error, stdout) => resolve(error === null ? stdout : ''));
  });
  return parseVersion(printed);
}
