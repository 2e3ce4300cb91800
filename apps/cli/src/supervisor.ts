import { enableCompileCache } from 'node:module';

// One supervisor starts per dispatch: parsing it anew each time would be most of its start.
enableCompileCache();
await import('./without-jit.ts');
await import('@bailiwick/process-supervision/supervisor');
