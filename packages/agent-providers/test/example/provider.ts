import { buildCommand } from '../../src/build-command.ts';
import { ALWAYS_NEEDED, NEVER_INHERITED, PLAIN_OUTPUT } from '../../src/environment.ts';
import type { AgentCommandRequest, AgentProvider } from '../../src/provider.ts';
import { scribeReader } from './reader.ts';

const KEYS = ['SCRIBE_API_KEY'];

/** Scribe, which doesn't exist. Facts: 1.2.0 on Linux, 2026-11-30. */
export const scribe: AgentProvider = {
  id: 'scribe',
  displayName: 'Scribe',
  program: 'scribe',
  versionArgs: ['--version'],
  observedVersion: '1.2.0',
  npmPackage: '@example/scribe',
  promptDelivery: 'stdin',
  maxPromptBytes: 1_000_000,
  session: 'reported',
  repeatedSession: 'not-applicable',
  modelBy: { kind: 'flag', flag: '--model' },
  writeCapability: {
    maxBoundaryPrecision: 'none',
    ownSandbox: false,
    ownSandboxByDefault: false,
    remarks: ['No restriction of any kind.'],
  },
  environment: {
    needs: [...ALWAYS_NEEDED, ...KEYS, 'SCRIBE_HOME'],
    keys: KEYS,
    never: NEVER_INHERITED,
    set: { ...PLAIN_OUTPUT, SCRIBE_TELEMETRY: '0' },
  },
  streamFormat: 'json-lines',
  servedModelSource: 'stream',
  usageSource: 'stream',
  endpoint: { dialect: 'openai-chat' },
  endEvidence: 'stream',
  exitCodes: [
    { code: 0, meaning: 'finished, or stopped by its model server: the done event says which' },
    { code: 2, meaning: 'refused flag' },
  ],
  leftovers: ['SIGTERM ends it, and leaves its shells behind'],
  home: { privateHome: true, variable: 'SCRIBE_HOME', loginPaths: ['.scribe/login.json'], remarks: [] },
  networkAttempts: ['updates.scribe.example, with no switch'],
  command: (request) => buildCommand(scribe, request, { flags: flags(request), env: variables(request) }),
  reader: scribeReader,
};

function flags({ model, unattendedWrites }: AgentCommandRequest): readonly string[] {
  return ['run', '--json', '--model', model, unattendedWrites ? '--yes' : '--read-only'];
}

function variables({ endpoint }: AgentCommandRequest): Record<string, string> {
  return endpoint === undefined ? {} : { SCRIBE_BASE_URL: `${endpoint.url}/v1`, SCRIBE_API_KEY: endpoint.apiKey };
}
