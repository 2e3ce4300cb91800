import { dirname, join } from 'node:path';
import type { BoundaryMode, ModelServerSetting } from '@bailiwick/dispatch';
import type { Limits } from '@bailiwick/dispatch-state';
import {
  type DocumentCodec,
  defineDocument,
  ensureFolder,
  isDurableFileError,
  readDocument,
  writeDocument,
} from '@bailiwick/durable-files';
import { RunError } from '../errors.ts';
import { ConfigV1 } from './config-v1.ts';

/** One seat of the team. */
export interface Seat {
  readonly model: string;
}

/** What a project says of one provider. */
export interface AgentConfig {
  /** How its program is started here; absent: by its usual name. */
  readonly command?: readonly string[] | undefined;
  /** How many of its workers may run at a time; absent: as many as may run at all. */
  readonly maxConcurrent?: number | undefined;
  /** Where its models are; absent: where the program itself looks for them, with the user's own login. */
  readonly modelServer?: ModelServerConfig | undefined;
}

/** A model server that a provider's workers reach through a gateway. */
export interface ModelServerConfig {
  readonly url: string;
  readonly keyVariable?: string | undefined;
  /** Which models may be asked for, by the names that stand in requests: no other than `only`, none of `never`. */
  readonly models?:
    | { readonly only?: readonly string[] | undefined; readonly never?: readonly string[] | undefined }
    | undefined;
}

/** `.bailiwick/config.json`: who works in this project, with which programs, and within which bounds. */
export interface ProjectConfig {
  readonly schemaVersion: '1.0';
  readonly $schema?: string | undefined;
  readonly team: {
    readonly implementer: Seat;
    readonly verifiers: readonly Seat[];
    readonly reportWriter?: Seat | undefined;
    /** Translates the finished report; only where there is a report writer. */
    readonly translator?: (Seat & { readonly language: string }) | undefined;
  };
  readonly agents?: Readonly<Record<string, AgentConfig>> | undefined;
  /** Additions to the shipped model pool, in the pool's own row format. */
  readonly models?: readonly unknown[] | undefined;
  readonly isolation?: 'tree' | 'worktree' | undefined;
  readonly limits?:
    | {
        readonly hardMinutes?: number | undefined;
        readonly idleMinutes?: number | undefined;
        /** How long what is asked to end has until it is killed. */
        readonly graceSeconds?: number | undefined;
      }
    | undefined;
  readonly maxConcurrent?: number | undefined;
  /** What a run may cost, in US dollars; absent: anything. */
  readonly maxCostUsd?: number | undefined;
  /** An agent whose served model can't be seen from this source or a stronger one is refused (AR-10). */
  readonly minimumModelSource?: 'wire' | 'stream' | 'transcript' | undefined;
  readonly ignored?: 'free' | 'listed' | 'none' | undefined;
  readonly scratch?: readonly string[] | undefined;
  readonly git?: 'none' | 'commit' | undefined;
  /** Absent: `auto`. */
  readonly boundary?: BoundaryMode | undefined;
}

/** Two hours: far above what agents were seen to need for one duty, far below a forgotten night. */
export const DEFAULT_HARD_MS = 2 * 60 * 60_000;
/** Ten minutes: the longest silence of a healthy agent seen in 445 public dispatches was 390 s. */
export const DEFAULT_IDLE_MS = 10 * 60_000;
/** What gemini and cline need to end by themselves after a polite signal. */
export const DEFAULT_GRACE_MS = 10_000;
/** More agents at a time than this wait for each other on an ordinary machine. */
export const DEFAULT_MAX_CONCURRENT = 8;

const codec: DocumentCodec<ProjectConfig> = defineDocument<ProjectConfig>({
  name: 'project config',
  version: '1.0',
  schema: ConfigV1,
});

/** Where a project's config lies. */
export function configPathOf(projectRoot: string): string {
  return join(projectRoot, '.bailiwick', 'config.json');
}

/** The project's config; CONFIG_MISSING where there is none, CONFIG_INVALID where a person has to mend it. */
export async function loadConfig(projectRoot: string): Promise<ProjectConfig> {
  const path = configPathOf(projectRoot);
  const config = await readConfig(path);
  if (config !== undefined) return config;
  throw new RunError('CONFIG_MISSING', 'this project has no config yet', {
    path,
    hint: '`bailiwick init` looks for agent CLIs and writes one',
  });
}

async function readConfig(path: string): Promise<ProjectConfig | undefined> {
  try {
    return await readDocument(path, codec, { keepDamaged: false });
  } catch (error) {
    if (!isDurableFileError(error) || error.code !== 'DOCUMENT_DAMAGED') throw error;
    const where = error.issues?.map((issue) => `${issue.path} ${issue.message}`).join('; ') ?? error.message;
    throw new RunError('CONFIG_INVALID', `the config can't be used: ${where}`, {
      path,
      hint: 'correct the file; docs/reference/files.md says what may stand in it',
      cause: error,
    });
  }
}

/** Writes a config where there is none, and gives its path; CONFIG_EXISTS where there is one, CONFIG_INVALID where it can't be read. */
export async function saveNewConfig(projectRoot: string, config: ProjectConfig): Promise<string> {
  const path = configPathOf(projectRoot);
  if ((await readConfig(path)) !== undefined)
    throw new RunError('CONFIG_EXISTS', 'this project has a config already', {
      path,
      hint: 'edit it, or take it away first',
    });
  await ensureFolder(dirname(path));
  await writeDocument(path, codec, config, { exclusive: true, mode: 0o644 });
  return path;
}

/** The bounds on every attempt of a run. */
export function limitsOf(config: ProjectConfig): Limits {
  const { hardMinutes, idleMinutes, graceSeconds } = config.limits ?? {};
  const inMs = (value: number | undefined, unitMs: number, otherwise: number): number =>
    value === undefined ? otherwise : Math.round(value * unitMs);
  return {
    hardMs: inMs(hardMinutes, 60_000, DEFAULT_HARD_MS),
    idleMs: inMs(idleMinutes, 60_000, DEFAULT_IDLE_MS),
    graceMs: inMs(graceSeconds, 1_000, DEFAULT_GRACE_MS),
  };
}

/** Provider id → program and leading arguments, where the config says so. */
export function commandsOf(config: ProjectConfig): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    Object.entries(config.agents ?? {}).flatMap(([id, { command }]) => (command === undefined ? [] : [[id, command]])),
  );
}

/** Provider id → how many of its workers may run at a time, where the config says so. */
export function maxConcurrentByProviderOf(config: ProjectConfig): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(config.agents ?? {}).flatMap(([id, { maxConcurrent }]) =>
      maxConcurrent === undefined ? [] : [[id, maxConcurrent]],
    ),
  );
}

/** Provider id → its model server, where the config names one. */
export function modelServersOf(config: ProjectConfig): Readonly<Record<string, ModelServerSetting>> {
  return Object.fromEntries(
    Object.entries(config.agents ?? {}).flatMap(([id, { modelServer }]) =>
      modelServer === undefined ? [] : [[id, modelServerSetting(modelServer)]],
    ),
  );
}

function modelServerSetting({ url, keyVariable, models }: ModelServerConfig): ModelServerSetting {
  const server = { url, keyVariable: keyVariable ?? null };
  if (models === undefined) return server;
  const { only, never } = models;
  return { ...server, models: { ...(only === undefined ? {} : { only }), ...(never === undefined ? {} : { never }) } };
}
