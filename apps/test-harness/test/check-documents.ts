import { onDocument } from '../src/cli/built-cli.ts';
import { checkDocument } from './published-schemas.ts';

// Whatever a test or a story makes the command line print is held against the published schemas.
onDocument(checkDocument);
