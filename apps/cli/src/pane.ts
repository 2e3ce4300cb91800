import { enableCompileCache } from 'node:module';

// One starts in every pane: parsing it anew each time would be most of its start.
enableCompileCache();
await import('./without-jit.ts');
await import('@bailiwick/backend-cmux/pane');
