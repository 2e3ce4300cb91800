import { libraryBuild } from '@bailiwick/tooling/tsdown';
import { defineConfig } from 'tsdown';

export default defineConfig(libraryBuild(['src/index.ts', 'src/pane-main.ts']));
