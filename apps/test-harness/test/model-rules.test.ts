import { readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fakeAgentCommand } from '@bailiwick/agent-fakes';
import { expect, it, onTestFinished } from 'vitest';
import { startFakeModel } from '../src/agents/fake-model.ts';
import { makeTempProject, runCliJson } from '../src/index.ts';
import type { RunDocument } from './support.ts';

/** Asks the model server that Codex is pointed at for three models, notes the answers' statuses, then works like a scripted agent. */
const ASKING = `
const { spawnSync } = require('node:child_process');
const { writeFileSync } = require('node:fs');
const [notes, program, ...args] = process.argv.slice(2);
const [, url] = /base_url="([^"]+)"/.exec(args.join(' '));
const ask = async (model) => {
  const body = JSON.stringify({ model, input: 'hello', stream: false });
  const answer = await fetch(url + '/responses', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  return model + ' ' + answer.status + ' ' + ((await answer.json()).error?.code ?? 'served');
};
(async () => {
  const lines = [];
  for (const model of ['gpt-5.5', 'gpt-5.5-mini', 'gpt-5.4']) lines.push(await ask(model));
  writeFileSync(notes, lines.join('\\n'));
  process.exitCode = spawnSync(program, args, { stdio: 'inherit' }).status;
})();
`;

const ANSWERS = ['gpt-5.5 200 served', 'gpt-5.5-mini 403 MODEL_REFUSED', 'gpt-5.4 403 MODEL_REFUSED'];

/** One is not among those that it may have, the other is kept from it. */
const MODELS = { only: ['gpt-5.5', 'gpt-5.4'], never: ['gpt-5.4'] };

it('a worker that the config wants pinned to models, and kept from one, gets no other, and the record names what it asked for', async () => {
  const made = await makeTempProject({ content: 'tiny' });
  const model = await startFakeModel(
    { schemaVersion: '1.0', turns: [{ answer: 'text', text: 'hi' }] },
    dirname(made.root),
  );
  onTestFinished(async () => {
    await model.end();
    await made.remove();
  });
  const [script, notes] = ['ask.cjs', 'answers.txt'].map((name) => join(dirname(made.root), name));
  await writeFile(script ?? '', ASKING);
  const command = [process.execPath, script, notes, ...fakeAgentCommand({ speak: 'codex' })];
  const config = {
    schemaVersion: '1.0',
    boundary: 'off',
    team: { implementer: { model: 'codex/gpt-5.5' }, verifiers: [] },
    agents: { codex: { command, modelServer: { url: model.url, models: MODELS } } },
  };
  await writeFile(join(made.root, '.bailiwick', 'config.json'), JSON.stringify(config));
  const { document } = await runCliJson<RunDocument>(made, ['run', 'start', '../TASK.md']);
  expect((await readFile(notes ?? '', 'utf8')).split('\n')).toEqual(ANSWERS);
  expect((await model.requests()).map((row) => row.model)).toEqual(['gpt-5.5']);
  const sidecars = join(document.runDirectory, 'sidecars');
  const [name] = await readdir(sidecars);
  const { reason } = JSON.parse(await readFile(join(sidecars, name ?? ''), 'utf8'));
  expect(reason).toContain('the gateway refused to ask for "gpt-5.5-mini", "gpt-5.4"');
});
