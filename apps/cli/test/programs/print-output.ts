import { createOutput } from '../../src/output.ts';
import { printAll } from '../support/print-all.ts';

// On the streams of this process, as the flags in its arguments say.
printAll(process.argv.slice(2), createOutput);
