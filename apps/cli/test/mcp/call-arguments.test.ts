import type { Command } from 'commander';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { argumentsOf } from '../../src/mcp/call-arguments.ts';
import { type CommandTool, TOOLS } from '../../src/mcp/tools.ts';
import { buildProgram } from '../../src/program.ts';

function commandOf(program: Command, { words }: Pick<CommandTool, 'words'>): Command | undefined {
  return words.reduce<Command | undefined>(
    (command, word) => command?.commands.find((one) => one.name() === word),
    program,
  );
}

/** What the command line makes of a call: the arguments and flags that the command would get. */
async function parsed(tool: CommandTool, input: Readonly<Record<string, unknown>>, project?: string) {
  const program = buildProgram('1.0.0');
  let got: { args: readonly unknown[]; flags: Readonly<Record<string, unknown>> } | undefined;
  commandOf(program, tool)?.action((...all: unknown[]) => {
    got = { args: all.slice(0, -2), flags: all.at(-2) as Record<string, unknown> };
  });
  await program.parseAsync([...argumentsOf(tool, input, { project })], { from: 'user' });
  return got;
}

function toolNamed(name: string): CommandTool {
  const found = TOOLS.find((tool) => tool.name === name);
  if (found === undefined) throw new Error(`there is no tool ${name}`);
  return found;
}

describe('a tool', () => {
  it.each(TOOLS.map((tool) => [tool.name, tool] as const))(
    '%s has a command of its words, which knows all its fields',
    (_, tool) => {
      const command = commandOf(buildProgram('1.0.0'), tool);
      const flags = command?.options.map((option) => option.attributeName());
      const own = command?.registeredArguments.map((argument) => argument.name());
      const fields = Object.keys(tool.input.shape);
      expect(flags).toEqual(expect.arrayContaining(fields.filter((field) => !tool.positional.includes(field))));
      expect(own?.map((name) => name.replace(/s$/, ''))).toEqual(tool.positional.map((name) => name.replace(/s$/, '')));
    },
  );
});

describe('the command line of a call', () => {
  it('means what the fields say, whatever text stands in them', async () => {
    const text = fc.oneof(
      fc.string({ minLength: 1 }),
      fc.constantFrom('--json', '--', '-V', '--project=/', '=', 'a b', '$(x)', '--help'),
    );
    await fc.assert(
      fc.asyncProperty(text, text, text, async (task, project, other) => {
        expect(await parsed(toolNamed('run_start'), { task, project, isolation: 'tree' })).toMatchObject({
          args: [task],
          flags: { project, isolation: 'tree', json: true },
        });
        expect(await parsed(toolNamed('team_stop'), { workers: [task, other], run: project })).toMatchObject({
          args: [[task, other]],
          flags: { run: project },
        });
        expect(await parsed(toolNamed('run_report'), { out: other })).toMatchObject({
          args: [undefined],
          flags: { out: other },
        });
      }),
    );
  });

  it('sets flags that are true, takes the waiting away that is false, and leaves out what is not given', async () => {
    const tool = toolNamed('team_dispatch');
    const input = {
      workers: ['ada', 'bob'],
      dryRun: true,
      ownWorkspace: false,
      wait: false,
      maxConcurrent: 2,
      maxCost: 0.5,
      timeout: '10m',
    };
    expect(await parsed(tool, input)).toMatchObject({
      flags: { workers: ['ada', 'bob'], dryRun: true, wait: false, maxConcurrent: 2, maxCost: 0.5, timeout: 600_000 },
    });
    const bare = await parsed(tool, {});
    expect(bare?.flags).toMatchObject({ wait: true, json: true });
    expect(Object.keys(bare?.flags ?? {}).sort()).toEqual(['backend', 'json', 'wait']);
  });

  it('names the server’s project where the call names none', async () => {
    const tool = toolNamed('run_list');
    expect((await parsed(tool, {}, '/shop'))?.flags).toMatchObject({ project: '/shop' });
    expect((await parsed(tool, { project: '/other' }, '/shop'))?.flags).toMatchObject({ project: '/other' });
  });
});
