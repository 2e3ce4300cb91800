import { providers } from '@bailiwick/agent-providers';
import type { ProviderInstallation } from '@bailiwick/assignment-resolution';
import { findExecutable } from '@bailiwick/process-supervision';

/** Which agent programs can be started here: by the user's own command, else by their usual name on PATH. */
export async function findInstallations(
  commands: Readonly<Record<string, readonly string[]>>,
  path: string,
): Promise<ReadonlyMap<string, ProviderInstallation>> {
  const rows = await Promise.all(
    [...providers.values()].map((provider) =>
      installationOf(provider.id, commands[provider.id]?.[0] ?? provider.program, path),
    ),
  );
  return new Map(rows.map((row) => [row.providerId, row]));
}

async function installationOf(providerId: string, program: string, path: string): Promise<ProviderInstallation> {
  const found = await findExecutable(program, path);
  if (found !== undefined) return { providerId, installed: true, supported: true };
  const reason = program === '' ? 'it needs a command in the config' : `no executable "${program}" on PATH`;
  return { providerId, installed: false, supported: true, reason };
}
