import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { type AgentCommandRequest, customProvider, findProvider } from '../src/index.ts';
import { lastLine, readAll } from './support/streams.ts';

const REQUEST: AgentCommandRequest = {
  model: 'm-1',
  sessionId: '',
  cwd: '/project',
  promptPath: '/state/p.md',
  writeRoots: ['/a', '/b'],
  role: 'analyst',
  unattendedWrites: true,
};

describe('a custom provider', () => {
  it('fills in what the declared command names', () => {
    const command = ['tool', '--model={model}', '{cwd}', '--write', '{writeRoot}', '{role}', '{other}'];
    const { argv } = customProvider({ command }).command(REQUEST);
    expect(argv).toEqual(['tool', '--model=m-1', '/project', '--write', '/a', '/b', 'analyst', '{other}']);
  });

  it('names no write root where there is none', () => {
    const { argv } = customProvider({ command: ['tool', '--add={writeRoot}'] }).command({ ...REQUEST, writeRoots: [] });
    expect(argv).toEqual(['tool']);
  });

  it('takes its command from the request when it is the shipped one', () => {
    const custom = findProvider('custom');
    expect(custom.command({ ...REQUEST, command: ['tool', '{model}'] }).argv).toEqual(['tool', 'm-1']);
    expect(() => custom.command(REQUEST)).toThrowError(
      expect.objectContaining({ code: 'REQUEST_INVALID', field: 'command' }),
    );
  });

  it('appends one line that names the prompt file, unless the command names it', () => {
    const byLine = customProvider({ command: ['tool'], promptDelivery: 'file-line' });
    expect(byLine.command(REQUEST).argv).toEqual(['tool', expect.stringContaining('/state/p.md')]);
    const byFlag = customProvider({ command: ['tool', '--file={promptPath}'], promptDelivery: 'file-line' });
    expect(byFlag.command(REQUEST).argv).toEqual(['tool', '--file=/state/p.md']);
  });

  it.each([
    [{ id: 'Bad Id' }, 'id'],
    [{ command: [] }, 'command'],
    [{ command: ['a', 'b\0'] }, 'command'],
    [{ maxPromptBytes: 0 }, 'maxPromptBytes'],
  ])('is refused for %j', (declaration, field) => {
    expect(() => customProvider(declaration)).toThrowError(
      expect.objectContaining({ code: 'DECLARATION_INVALID', field }),
    );
  });

  it.each([
    [0, 'positive'],
    [3, 'negative'],
    [124, 'negative'],
  ])('ST-7 is judged by its exit code alone: %i is %s', (exitCode, endEvidence) => {
    const provider = customProvider({
      command: [process.execPath, '-e', `console.log('done'); process.exit(${exitCode})`],
    });
    const [program, ...args] = provider.command(REQUEST).argv;
    const child = spawnSync(program, args);
    const seen = readAll(provider.reader(), [child.stdout], { exitCode: child.status, signal: child.signal });
    expect(provider.endEvidence).toBe('exit-code');
    expect(seen.verdict).toMatchObject({ endEvidence, transient: false });
    expect(lastLine(seen)).toBe('done');
  });

  it('ST-7 that a signal ended has negative evidence, and no exit at all is absent evidence', () => {
    expect(customProvider().reader().verdict({ exitCode: null, signal: 'SIGKILL' })).toEqual({
      endEvidence: 'negative',
      reason: 'signal SIGKILL',
      transient: false,
    });
    expect(customProvider().reader().verdict({ exitCode: null, signal: null }).endEvidence).toBe('absent');
  });
});
