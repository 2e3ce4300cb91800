import { pathToFileURL } from 'node:url';
import { programPath } from '@bailiwick/tooling/program-path';
import { setAuditWorkerEntry } from '../../src/index.ts';

// Each thread that took the types out of its sources would do so anew.
setAuditWorkerEntry(pathToFileURL(programPath('audit-worker')));
