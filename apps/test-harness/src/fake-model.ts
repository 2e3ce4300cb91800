#!/usr/bin/env node
import { runFakeModel } from '@bailiwick/agent-fakes';

process.exit(await runFakeModel(process.argv.slice(2)));
