#!/usr/bin/env node
import { runFakeCmux } from '@bailiwick/agent-fakes';

// A terminal that was hung up may linger; nothing waits for it.
process.exit(await runFakeCmux(process.argv.slice(2)));
