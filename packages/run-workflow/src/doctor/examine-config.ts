import { DEFAULT_MAX_CONCURRENT, limitsOf, maxConcurrentByProviderOf, type ProjectConfig } from '../project/config.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

/** A project's config, or why there is none: an error of `loadConfig`. */
export type ConfigFound = { readonly config: ProjectConfig } | { readonly error: Error };

/** Whether the config can be used, and within which bounds workers run. */
export function examineConfig(found: ConfigFound): readonly Finding[] {
  if ('error' in found) return [withoutConfig(found.error)];
  const { hardMs, idleMs, graceMs } = limitsOf(found.config);
  const atOnce = found.config.maxConcurrent ?? DEFAULT_MAX_CONCURRENT;
  const byProvider = Object.entries(maxConcurrentByProviderOf(found.config));
  const { maxCostUsd } = found.config;
  const bounds = [
    `${atOnce} workers at a time`,
    ...byProvider.map(([provider, most]) => `${most} of ${provider}`),
    ...(maxCostUsd === undefined ? [] : [`${maxCostUsd} USD a run, as far as it is known`]),
    `an attempt ${minutes(hardMs)}`,
    `${minutes(idleMs)} without output`,
    `${graceMs / 1_000} s to end politely`,
  ];
  return [ok('config', '.bailiwick/config.json'), ok('limits', `at most: ${bounds.join(', ')}`)];
}

/** A config that isn't there is to be made; one that is and can't be used must not look like none. */
function withoutConfig(error: Error): Finding {
  if (codeOf(error) === 'CONFIG_MISSING')
    return warn('config', 'this project has no config yet', '`bailiwick init` writes one');
  return fail('config', `${error.message} [${codeOf(error)}]`, 'correct .bailiwick/config.json');
}

function codeOf(error: Error): string {
  return 'code' in error ? String(error.code) : error.name;
}

function minutes(ms: number): string {
  return `${Math.round(ms / 6_000) / 10} min`;
}
