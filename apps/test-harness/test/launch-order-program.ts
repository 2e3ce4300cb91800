// The harness's `launch-order`; arguments: the built command line, which is not beside a bundle, and the recipe of the backend.
import { CLI_OVERRIDE } from '../src/cli/built-cli.ts';
import { launchOrder } from '../src/conformance/launch-order.ts';

const [cliPath, ...rest] = process.argv.slice(2);
process.env[CLI_OVERRIDE] = cliPath;
process.exitCode = await launchOrder(rest);
