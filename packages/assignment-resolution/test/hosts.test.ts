import { describe, expect, it } from 'vitest';
import { HOST_IDS, hostOf } from '../src/index.ts';
import { errorOf } from './support.ts';

describe('hostOf', () => {
  it.each(HOST_IDS)('AR-4 takes %s as lead runtime', (leadRuntime) => {
    expect(hostOf({ leadRuntime, terminalBackend: 'cmux' })).toEqual({ hostId: leadRuntime, terminalBackend: 'cmux' });
  });

  it('takes a host id that the shipped pool does not know', () => {
    expect(hostOf({ leadRuntime: 'zed', terminalBackend: 'none' }).hostId).toBe('zed');
  });

  it.each([
    [{ terminalBackend: 'none' }, 'leadRuntime'],
    [{ leadRuntime: '', terminalBackend: 'none' }, 'leadRuntime'],
    [{ leadRuntime: null, terminalBackend: 'none' }, 'leadRuntime'],
    [{ leadRuntime: 'claude-code' }, 'terminalBackend'],
    [{ leadRuntime: 'claude-code', terminalBackend: 'tmux' }, 'terminalBackend'],
    [{}, 'leadRuntime'],
  ])('AR-4 requires lead runtime and terminal backend: %j lacks %s', (context, field) => {
    expect(errorOf('HOST_CONTEXT_INVALID', () => hostOf(context))).toMatchObject({ details: { field } });
  });
});
