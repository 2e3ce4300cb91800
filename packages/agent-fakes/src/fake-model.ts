#!/usr/bin/env node
import { runFakeModel } from './model-server/run-fake-model.ts';

process.exit(await runFakeModel(process.argv.slice(2)));
