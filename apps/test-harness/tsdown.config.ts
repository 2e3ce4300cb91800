import { libraryBuild } from '@bailiwick/tooling/tsdown';
import { defineConfig } from 'tsdown';

export default defineConfig(libraryBuild(['src/index.ts', 'src/main.ts', 'src/fake-model.ts', 'src/fake-cmux.ts']));
