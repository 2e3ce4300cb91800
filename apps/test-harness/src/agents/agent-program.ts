import { join } from 'node:path';

/** A real agent program as the matrix has it: from npm, in the version that its facts were observed with. */
export interface AgentProgram {
  /** The provider's id. */
  readonly id: string;
  readonly npmPackage: string;
  readonly version: string;
  /** What its `package.json` or licence file says; null: not free, so that it is run only where it is named. */
  readonly licence: string | null;
  /** The model that is asked for, from the shipped pool. */
  readonly modelRef: string;
  /** How it is started, given the folder of its package. */
  command(packageFolder: string): readonly string[];
  /** How it takes a model server that fails for good; most ask again for longer than a scenario lasts. */
  readonly onFailure: 'gives-up' | 'asks-on';
  /** Its prompt is one line that names the prompt's file: its first turn goes into reading that. */
  readonly readsPromptFile?: true;
}

const node = (file: string) => (packageFolder: string) => [process.execPath, join(packageFolder, file)];
const binary = (file: string) => (packageFolder: string) => [join(packageFolder, file)];

/** Programs of `@bailiwick/agent-providers` that can be had from npm, smallest and quickest first. */
export const AGENT_PROGRAMS: readonly AgentProgram[] = [
  {
    id: 'pi',
    npmPackage: '@earendil-works/pi-coding-agent',
    version: '1.6.0',
    licence: 'MIT',
    modelRef: 'pi/gpt-5.5',
    command: node('dist/bundle/cli.js'),
    onFailure: 'gives-up',
  },
  {
    id: 'codex',
    npmPackage: '@openai/codex',
    version: '0.171.0',
    licence: 'Apache-2.0',
    modelRef: 'codex/gpt-5.5',
    command: node('bin/codex.js'),
    onFailure: 'gives-up',
  },
  {
    id: 'gemini',
    npmPackage: '@google/gemini-cli',
    version: '0.61.0',
    licence: 'Apache-2.0',
    modelRef: 'gemini/gemini-2.5-pro',
    command: node('bundle/gemini.js'),
    onFailure: 'asks-on',
  },
  {
    id: 'qwen',
    npmPackage: '@qwen-code/qwen-code',
    version: '0.24.4',
    licence: 'Apache-2.0',
    modelRef: 'qwen/qwen3.7-max',
    // Not its bin: that is a wrapper which dies on a signal while the program behind it goes on.
    command: (packageFolder) => [process.execPath, '--expose-gc', join(packageFolder, 'cli.js')],
    onFailure: 'asks-on',
  },
  {
    id: 'opencode',
    npmPackage: 'opencode-ai',
    version: '1.18.33',
    licence: 'MIT',
    modelRef: 'opencode/gpt-5.5',
    command: binary('bin/opencode.exe'),
    onFailure: 'asks-on',
  },
  {
    id: 'cline',
    npmPackage: 'cline',
    version: '3.0.65',
    licence: 'Apache-2.0',
    modelRef: 'cline/gpt-5.5',
    command: binary('bin/cline'),
    onFailure: 'asks-on',
    readsPromptFile: true,
  },
  {
    id: 'claude',
    npmPackage: '@anthropic-ai/claude-code',
    version: '2.1.332',
    licence: null,
    modelRef: 'claude/claude-sonnet-4-6',
    command: binary('bin/claude.exe'),
    onFailure: 'asks-on',
  },
  {
    id: 'copilot',
    npmPackage: '@github/copilot',
    version: '1.0.102',
    licence: null,
    modelRef: 'copilot/gpt-5.6-sol',
    command: binary('../copilot-linux-x64/copilot'),
    onFailure: 'asks-on',
  },
];
