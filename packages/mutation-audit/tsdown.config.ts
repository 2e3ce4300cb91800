import { libraryBuild } from '@bailiwick/tooling/tsdown';
import { defineConfig } from 'tsdown';

/** The audit's threads start from a file of their own, beside the entry. */
export default defineConfig(libraryBuild(['src/index.ts', 'src/schema.ts', 'src/audit-worker.ts']));
