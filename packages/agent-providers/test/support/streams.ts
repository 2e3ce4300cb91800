import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type AgentExit,
  type AgentObservation,
  type AgentStreamReader,
  type EndVerdict,
  findProvider,
} from '../../src/index.ts';

const ROOT = join(import.meta.dirname, '..', 'fixtures', 'streams');

export const CLEAN_EXIT: AgentExit = { exitCode: 0, signal: null };

export interface Seen {
  readonly observations: readonly AgentObservation[];
  readonly verdict: EndVerdict;
}

/** Every stream fixture, as `[provider, file name]`. */
export function streamFixtures(): readonly (readonly [string, string])[] {
  return readdirSync(ROOT).flatMap((provider) =>
    readdirSync(join(ROOT, provider)).map((file) => [provider, file] as const),
  );
}

export function fixtureBytes(provider: string, file: string): Uint8Array {
  return readFileSync(join(ROOT, provider, file));
}

/** The fixture of a provider whose name ends with `<scenario>.jsonl`. */
export function seenIn(provider: string, scenario: string, exit: AgentExit = CLEAN_EXIT): Seen {
  const file = readdirSync(join(ROOT, provider)).find((name) => name.endsWith(`-${scenario}.jsonl`));
  if (file === undefined) throw new Error(`no fixture ${provider}/*-${scenario}.jsonl`);
  return readAll(findProvider(provider).reader(), [fixtureBytes(provider, file)], exit);
}

export function seenInText(provider: string, text: string, exit: AgentExit = CLEAN_EXIT): Seen {
  return readAll(findProvider(provider).reader(), [Buffer.from(text)], exit);
}

export function readAll(reader: AgentStreamReader, chunks: readonly Uint8Array[], exit: AgentExit = CLEAN_EXIT): Seen {
  const observations = [...chunks.flatMap((chunk) => reader.push(chunk)), ...reader.end()];
  return { observations, verdict: reader.verdict(exit) };
}

export function servedModels(seen: Seen): readonly (string | null)[] {
  return seen.observations.flatMap((o) => (o.kind === 'turn' ? [o.servedModel] : []));
}

export function lastUsage(seen: Seen) {
  return seen.observations.flatMap((o) => (o.kind === 'usage' ? [o.usage] : [])).at(-1);
}

export function sessions(seen: Seen): readonly string[] {
  return seen.observations.flatMap((o) => (o.kind === 'session' ? [o.sessionId] : []));
}

export function claims(seen: Seen): readonly string[] {
  return seen.observations.flatMap((o) => (o.kind === 'edit-claim' ? [o.path] : []));
}

export function tools(seen: Seen): readonly string[] {
  return seen.observations.flatMap((o) => (o.kind === 'tool' ? [`${o.name} ${o.ok ?? 'unknown'}`] : []));
}

export function lastLine(seen: Seen): string | undefined {
  return seen.observations.flatMap((o) => (o.kind === 'line' ? [o.text] : [])).at(-1);
}

export function questions(seen: Seen): readonly string[] {
  return seen.observations.flatMap((o) => (o.kind === 'waiting-for-input' ? [o.what] : []));
}
