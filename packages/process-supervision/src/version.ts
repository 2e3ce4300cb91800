import manifest from '../package.json' with { type: 'json' };

/**
 * The version that sidecars name; bundled with the code, so that an upgrade under a running supervisor doesn't show.
 */
export const SUPERVISOR_VERSION: string = manifest.version;
