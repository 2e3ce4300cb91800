import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { programPath } from '@bailiwick/tooling/program-path';
import { afterAll, expect, it } from 'vitest';
import { parseCommandLine } from '../../src/cmux/command-line.ts';
import { openByScript } from '../../src/cmux/terminal.ts';
import { RawClient } from './raw-client.ts';

const folder = mkdtempSync(join(tmpdir(), 'fxp-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const program = programPath('fake-cmux');

it('the program says where it is, can be played with from outside, and reports on its client at the end', async () => {
  const [socket, control, report] = ['s', 'c', 'r'].map((name) => join(folder, name));
  const args = ['--socket', socket ?? '', '--control', control ?? '', '--report', report ?? '', '--version', '0.64.17'];
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [first] = await once(createInterface({ input: child.stdout }), 'line');
  const { environment } = JSON.parse(String(first));
  expect(environment.CMUX_SOCKET_PATH).toBe(socket);
  const client = new RawClient(socket ?? '');
  const ids = { workspace_id: environment.CMUX_WORKSPACE_ID, surface_id: environment.CMUX_SURFACE_ID };
  const { result } = await client.call('surface.split', { ...ids, direction: 'right', focus: false });
  const hands = new RawClient(control ?? '');
  const act = async (act: object) => JSON.parse((await hands.say(JSON.stringify(act))) ?? '');
  expect(await act({ do: 'rename', surface: result.surface_id, title: 'x' })).toMatchObject({ ok: true });
  expect(await act({ do: 'relaunch' })).toMatchObject({ ok: true });
  expect((await act({ do: 'environment' })).result.CMUX_WORKSPACE_ID).not.toBe(ids.workspace_id);
  expect(await act({ do: 'dance' })).toMatchObject({ ok: false });
  child.kill('SIGTERM');
  const [code] = await once(child, 'exit');
  hands.close();
  client.close();
  expect(code).toBe(0);
  expect(JSON.parse(readFileSync(report ?? '', 'utf8')).conduct).toMatchObject({ holds: true, requests: 1 });
});

it.each([
  [['--version', '0.64']],
  [['--socket', 's', '--mode', 'open']],
  [['--socket', 's', '--version', 'old']],
  [['--socket', 's', '--seed', '-1']],
  [['--sokket', 's']],
])('a mistake in its flags is said: %j', (argv) => {
  expect(parseCommandLine(argv)).toHaveProperty('usageError');
});

it('where the addon is missing, script(1) gives the terminal', async () => {
  let shown = '';
  const exited = new Promise<void>((resolve) => {
    openByScript({
      argv: ['/bin/sh', '-c', 'test -t 1 && echo "a terminal, it\'s true"'],
      cwd: folder,
      env: { PATH: process.env['PATH'] ?? '' },
      onData: (text) => {
        shown += text;
      },
      onExit: () => resolve(),
    });
  });
  await exited;
  expect(shown).toContain("a terminal, it's true");
});
