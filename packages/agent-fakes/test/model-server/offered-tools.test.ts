import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { parseScenario, type ScriptedCall, startModelServer } from '../../src/index.ts';
import { ask } from './ask.ts';

// The tools that each real program offered its model, recorded by `scripts/record-streams.mjs`.
const FOLDER = join(import.meta.dirname, '..', 'fixtures', 'offered-tools');
const PROGRAMS = readdirSync(FOLDER).map((file) => file.replace(/\.json$/, ''));

const Arguments = z.record(z.string(), z.unknown());
const Form = z.looseObject({ properties: z.record(z.string(), z.unknown()).optional() });
const Described = z.looseObject({
  name: z.string(),
  parameters: Form.optional(),
  parametersJsonSchema: Form.optional(),
});
const Offered = z.looseObject({
  name: z.string().optional(),
  parameters: Form.optional(),
  function: Described.optional(),
  custom: Described.optional(),
  functionDeclarations: z.array(Described).optional(),
});
const Recorded = z.strictObject({ path: z.string(), tools: z.array(Offered) });

const Call = z
  .looseObject({ name: z.string(), input: z.unknown(), arguments: z.unknown(), args: z.unknown() })
  .partial();
const Answer = z
  .looseObject({
    choices: z.array(
      z.looseObject({
        message: z.looseObject({ tool_calls: z.array(z.looseObject({ function: Call, custom: Call }).partial()) }),
      }),
    ),
    output: z.array(Call),
    content: z.array(Call),
    candidates: z.array(
      z.looseObject({ content: z.looseObject({ parts: z.array(z.looseObject({ functionCall: Call }).partial()) }) }),
    ),
  })
  .partial();

describe.each(PROGRAMS)('the fake model of %s', (program) => {
  const recorded = Recorded.parse(JSON.parse(readFileSync(join(FOLDER, `${program}.json`), 'utf8')));

  it.each<ScriptedCall>([
    { tool: 'shell', command: 'ls -a' },
    { tool: 'write', path: '/project/hello.txt', text: 'hello\n' },
  ])('calls a tool that it offers, in that tool’s form: $tool', async (call) => {
    const { name, input } = await calledBy(recorded, call);
    const form = formsOf(recorded).get(name ?? '');
    expect(form).toBeDefined();
    if (typeof input === 'string') return expect(input).toContain('*** Begin Patch');
    expect(Object.keys(form?.properties ?? {})).toEqual(expect.arrayContaining(Object.keys(Arguments.parse(input))));
    // the program's own JSON Schema
    const schema = z.fromJSONSchema((form ?? {}) as Parameters<typeof z.fromJSONSchema>[0]);
    expect(schema.safeParse(input)).toMatchObject({ success: true });
  });
});

/** What the fake model answers when it is asked as the program asked it, but for a whole answer. */
async function calledBy({ path, tools }: z.infer<typeof Recorded>, call: ScriptedCall) {
  const scenario = parseScenario({ schemaVersion: '1.0', turns: [{ answer: 'tool', call }] }, 'the test');
  const server = await startModelServer({ scenario });
  onTestFinished(() => server.close());
  const whole = path.replace(/:streamGenerateContent.*/, ':generateContent');
  const response = await ask(server.url, { path: whole, body: { model: 'asked', stream: false, tools } });
  return callIn(Answer.parse(await response.json()));
}

function callIn({ choices, output, content, candidates }: z.infer<typeof Answer>) {
  const chat = choices?.[0]?.message.tool_calls[0];
  const google = candidates?.[0]?.content.parts.find(({ functionCall }) => functionCall !== undefined)?.functionCall;
  const { name, ...given } =
    [chat?.function, chat?.custom, google, ...(output ?? []), ...(content ?? [])].find(
      (found) => found?.name !== undefined,
    ) ?? {};
  const input = given.arguments ?? given.input ?? given.args;
  return { name, input: typeof given.arguments === 'string' ? JSON.parse(given.arguments) : input };
}

function formsOf({ tools }: z.infer<typeof Recorded>): ReadonlyMap<string, z.infer<typeof Form>> {
  const described = tools.flatMap((tool) => [tool, tool.function, tool.custom, ...(tool.functionDeclarations ?? [])]);
  return new Map(
    described.flatMap((tool) => {
      if (tool?.name === undefined) return [];
      const form = tool.parameters ?? tool['parametersJsonSchema'] ?? tool['input_schema'];
      return [[tool.name, Form.parse(form ?? {})] as const];
    }),
  );
}
