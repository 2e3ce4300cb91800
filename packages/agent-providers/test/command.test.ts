import { describe, expect, it } from 'vitest';
import { type AgentCommandRequest, type AgentProvider, findProvider, providers } from '../src/index.ts';

const SESSION = '6f1c0b52-3b0e-4a0e-9d59-0d4a8f3f6a11';
const REAL = [...providers.values()].filter((provider) => provider.id !== 'custom');

function request(provider: AgentProvider, changes: Partial<AgentCommandRequest> = {}): AgentCommandRequest {
  return {
    model: provider.id === 'opencode' || provider.id === 'pi' ? 'acme/large-1' : 'large-1',
    sessionId: provider.session === 'flag' ? SESSION : '',
    cwd: '/project',
    promptPath: '/state/prompt.md',
    writeRoots: ['/project/.bailiwick/out/i-1', '/cache'],
    role: 'implementer',
    unattendedWrites: true,
    ...changes,
  };
}

function argvOf(id: string, changes: Partial<AgentCommandRequest> = {}): readonly string[] {
  const provider = findProvider(id);
  return provider.command(request(provider, changes)).argv;
}

describe('the command line', () => {
  it('of claude edits without asking, and its variadic flags swallow nothing', () => {
    expect(argvOf('claude')).toEqual([
      'claude',
      '-p',
      '--output-format',
      'stream-json',
      '--verbose',
      '--session-id',
      SESSION,
      '--model',
      'large-1',
      '--permission-mode',
      'acceptEdits',
      '--allowedTools=Bash',
      '--add-dir=/project/.bailiwick/out/i-1',
      '--add-dir=/cache',
    ]);
  });

  it('AR-10 of claude keeps its subagents to the selected model, whatever name a call gives; an alias stands for itself alone', () => {
    const modelsIn = (model: string) => {
      const { env } = findProvider('claude').command(request(findProvider('claude'), { model }));
      return Object.fromEntries(Object.entries(env).filter(([name]) => name.endsWith('_MODEL')));
    };
    expect(modelsIn('claude-sonnet-4-6')).toEqual({
      CLAUDE_CODE_SUBAGENT_MODEL: 'claude-sonnet-4-6',
      ANTHROPIC_DEFAULT_FABLE_MODEL: 'claude-sonnet-4-6',
      ANTHROPIC_DEFAULT_HAIKU_MODEL: 'claude-sonnet-4-6',
      ANTHROPIC_DEFAULT_OPUS_MODEL: 'claude-sonnet-4-6',
      ANTHROPIC_DEFAULT_SONNET_MODEL: 'claude-sonnet-4-6',
    });
    expect(modelsIn('opus')).toEqual({ CLAUDE_CODE_SUBAGENT_MODEL: 'opus' });
  });

  it('of codex runs in its own sandbox, without the temporary folder, and takes the prompt from stdin', () => {
    const argv = argvOf('codex');
    expect(argv.slice(0, 13)).toEqual([
      'codex',
      'exec',
      '--json',
      '--skip-git-repo-check',
      '--sandbox',
      'workspace-write',
      '-C',
      '/project',
      '-m',
      'large-1',
      '--add-dir',
      '/project/.bailiwick/out/i-1',
      '--add-dir',
    ]);
    expect(argv).toContain('sandbox_workspace_write.exclude_slash_tmp=true');
    expect(argv.at(-1)).toBe('-');
  });

  it('of gemini includes the write roots and takes our session', () => {
    const flags = ['-m', 'large-1', '-o', 'stream-json', '--approval-mode', 'yolo', '--session-id', SESSION];
    const roots = ['--include-directories=/project/.bailiwick/out/i-1', '--include-directories=/cache'];
    expect(argvOf('gemini')).toEqual(['gemini', ...flags, ...roots]);
  });

  it('of opencode leaves nothing to be asked, and titles to the same model', () => {
    const provider = findProvider('opencode');
    const command = provider.command(request(provider));
    expect(command.argv).toEqual(['opencode', 'run', '--format', 'json', '--title', 'bailiwick', '-m', 'acme/large-1']);
    expect(JSON.parse(command.env['OPENCODE_CONFIG_CONTENT'] ?? '')).toMatchObject({
      small_model: 'acme/large-1',
      permission: {
        edit: 'allow',
        bash: 'allow',
        external_directory: { '*': 'deny', '/project/.bailiwick/out/i-1/**': 'allow', '/cache/**': 'allow' },
      },
    });
  });

  it('of pi splits provider and model', () => {
    const flags = ['--mode', 'json', '-p', '--provider', 'acme', '--model', 'large-1', '--session-id', SESSION];
    expect(argvOf('pi')).toEqual(['pi', ...flags]);
    expect(argvOf('pi', { model: 'large-1' })).not.toContain('--provider');
  });

  it('of qwen takes our session', () => {
    const flags = ['-m', 'large-1', '-o', 'stream-json', '--approval-mode', 'yolo', '--session-id', SESSION];
    expect(argvOf('qwen').slice(0, 9)).toEqual(['qwen', ...flags]);
  });

  it('of copilot asks nobody, and has its model in the environment', () => {
    const provider = findProvider('copilot');
    const command = provider.command(request(provider));
    const flags = [
      '--output-format',
      'json',
      '--allow-all-tools',
      '--allow-all-paths',
      '--no-auto-update',
      '--no-ask-user',
      '--session-id',
      SESSION,
    ];
    expect(command.argv.slice(0, 9)).toEqual(['copilot', ...flags]);
    expect(command.env['COPILOT_MODEL']).toBe('large-1');
  });

  it('of cline ends with one line that names the prompt file, and stdin stays closed', () => {
    const provider = findProvider('cline');
    const command = provider.command(request(provider));
    expect(command.argv.slice(0, 6)).toEqual(['cline', '--json', '-m', 'large-1', '-c', '/project']);
    expect(command.argv.at(-1)).toMatch(/^Your task is in the file \/state\/prompt\.md - [^\n]+$/);
    expect(command.stdin).toEqual({ kind: 'none' });
  });
});

describe.each(REAL)('the command of $id', (provider) => {
  it('starts with the user’s own command in place of the program, and keeps its flags', () => {
    const own = provider.command(request(provider, { command: ['node', '/x/fake.js', '--speak', provider.id] })).argv;
    expect(own).toEqual([
      'node',
      '/x/fake.js',
      '--speak',
      provider.id,
      ...provider.command(request(provider)).argv.slice(1),
    ]);
  });

  it('is pure: it answers the same twice, and leaves its request alone', () => {
    const frozen = Object.freeze(request(provider));
    expect(provider.command(frozen)).toEqual(provider.command(frozen));
  });

  it('never has the prompt in its arguments, and the prompt file on stdin where that is read', () => {
    const command = provider.command(request(provider));
    expect(command.stdin.kind).toBe(provider.promptDelivery === 'stdin' ? 'prompt-file' : 'none');
    expect(command.argv.filter((argument) => argument.includes('/state/prompt.md'))).toHaveLength(
      command.stdin.kind === 'none' ? 1 : 0,
    );
  });

  it('unsets what marks the inside of another agent or redirects git, and names its own folder', () => {
    const command = provider.command(request(provider));
    for (const name of ['CLAUDECODE', 'CODEX_THREAD_ID', 'GIT_DIR', 'GIT_INDEX_FILE'])
      expect(command.unsetEnv).toContain(name);
    expect(command.env).toMatchObject({ TERM: 'dumb', NO_COLOR: '1', PWD: '/project' });
    expect(command.unsetEnv.filter((name) => name in provider.environment.set)).toEqual([]);
  });

  it('RT-2 carries the session it is given, or none', () => {
    const uses = provider.command(request(provider)).argv.filter((argument) => argument === SESSION);
    expect(uses).toHaveLength(provider.session === 'flag' ? 1 : 0);
  });

  it('asks for less when nothing is to be written', () => {
    const { argv, env } = provider.command(request(provider));
    const closed = provider.command(request(provider, { unattendedWrites: false }));
    expect({ argv: closed.argv, env: closed.env }).not.toEqual({ argv, env });
    for (const open of ['acceptEdits', 'workspace-write', 'yolo', '--allow-all-tools', '--allow-all-paths'])
      expect(closed.argv).not.toContain(open);
  });

  it('with an endpoint talks to it, with its key, and inherits no other key', () => {
    const endpoint = { url: 'http://127.0.0.1:4321/secret-path', apiKey: 'stand-in' };
    const command = provider.command(request(provider, { endpoint }));
    const all = JSON.stringify([command.argv, command.env, command.homeFiles ?? []]);
    expect(all).toContain('http://127.0.0.1:4321/secret-path');
    expect(all).toContain('stand-in');
    for (const key of provider.environment.keys) expect(command.unsetEnv).toContain(key);
  });

  it.each([
    [{ model: '--yolo' }, 'model'],
    [{ model: 'a\nb' }, 'model'],
    [{ cwd: 'project' }, 'path'],
    [{ writeRoots: ['../x'] }, 'path'],
    [{ writeRoots: ['-x'] }, 'writeRoots[0]'],
    [{ command: [] }, 'command'],
  ])('is refused for %j', (changes, field) => {
    const bad = request(provider, changes);
    expect(() => provider.command(bad)).toThrowError(expect.objectContaining({ code: 'REQUEST_INVALID', field }));
  });
});

describe('a request that one program would misread is refused', () => {
  it.each([
    ['claude', { sessionId: 'not-a-uuid' }, 'sessionId'],
    ['qwen', { sessionId: 'not-a-uuid' }, 'sessionId'],
    ['copilot', { sessionId: 'not-a-uuid' }, 'sessionId'],
    ['pi', { sessionId: '' }, 'sessionId'],
    ['gemini', { writeRoots: ['/a,b'] }, 'writeRoots'],
    ['gemini', { writeRoots: ['/1', '/2', '/3', '/4', '/5', '/6'] }, 'writeRoots'],
    ['opencode', { model: 'large-1' }, 'model'],
    ['pi', { ownSandbox: true }, 'ownSandbox'],
  ])('%s: %j', (id, changes, field) => {
    expect(() => argvOf(id, changes)).toThrowError(
      expect.objectContaining({ code: 'REQUEST_INVALID', providerId: id, field }),
    );
  });
});

describe('the program’s own sandbox', () => {
  it('of claude is asked to fail where it is not available', () => {
    const settings = argvOf('claude', { ownSandbox: true }).find((argument) => argument.startsWith('--settings='));
    expect(JSON.parse(settings?.slice('--settings='.length) ?? '')).toEqual({
      sandbox: {
        enabled: true,
        failIfUnavailable: true,
        allowUnsandboxedCommands: false,
        autoAllowBashIfSandboxed: true,
      },
    });
  });

  it('of codex is on by default, and off only when asked', () => {
    expect(argvOf('codex', { ownSandbox: true })).toContain('workspace-write');
    expect(argvOf('codex', { ownSandbox: false })).toContain('danger-full-access');
    expect(argvOf('codex', { ownSandbox: false, unattendedWrites: false })).toContain('read-only');
  });

  it('of codex runs a command without a model, drawn as an attempt’s is', () => {
    const argv = findProvider('codex').sandboxed?.({
      cwd: '/p',
      writeRoots: ['/p/.git/objects', '/a "b"'],
      argv: ['git', 'commit'],
    });
    expect(argv?.slice(0, 2)).toEqual(['codex', 'sandbox']);
    expect(argv?.slice(-3)).toEqual(['--', 'git', 'commit']);
    expect(argv).toContain('sandbox_mode="workspace-write"');
    expect(argv).toContain('sandbox_workspace_write.writable_roots=["/p/.git/objects","/a \\"b\\""]');
    const settings = argvOf('codex').filter((word) => word.startsWith('sandbox_workspace_write.'));
    expect(settings.length).toBeGreaterThan(0);
    expect(argv).toEqual(expect.arrayContaining(settings));
  });

  it('of qwen is a setting in its private HOME', () => {
    const provider = findProvider('qwen');
    const [file] = provider.command(request(provider, { ownSandbox: true })).homeFiles ?? [];
    expect(file?.path).toBe('.qwen/settings.json');
    expect(JSON.parse(file?.text ?? '')).toMatchObject({
      tools: { executionSandbox: { filesystem: 'workspace-write' } },
    });
  });
});
