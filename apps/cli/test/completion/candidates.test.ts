import type { Command } from 'commander';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { completionOf } from '../../src/completion/candidates.ts';
import { buildProgram } from '../../src/program.ts';

const PROGRAM = buildProgram('1.0.0');

interface Node {
  readonly path: readonly string[];
  readonly command: Command;
}

function nodesOf(command: Command, path: readonly string[] = []): readonly Node[] {
  const children = command
    .createHelp()
    .visibleCommands(command)
    .filter((child) => child.name() !== 'help');
  return [{ path, command }, ...children.flatMap((child) => nodesOf(child, [...path, child.name()]))];
}

const NODES = nodesOf(PROGRAM);

function valuesFor(...words: readonly string[]): readonly string[] {
  return completionOf(PROGRAM, words).candidates.map(({ value }) => value);
}

describe('what may follow the words of a command line', () => {
  it.each(NODES.map(({ path, command }) => [path.join(' ') || 'bailiwick', path, command] as const))(
    '%s: its commands and its flags, each with what it does, and no hidden one',
    (_, path, command) => {
      for (const child of command.commands) {
        const isHidden = child.name().startsWith('__');
        expect(valuesFor(...path, child.name().slice(0, 2)).includes(child.name())).toBe(!isHidden);
      }
      const { candidates } = completionOf(PROGRAM, [...path, '--']);
      expect(candidates.map(({ value }) => value)).toEqual(
        expect.arrayContaining(command.options.flatMap(({ long }) => (long == null ? [] : [long]))),
      );
      for (const { value, description } of candidates)
        expect([value, description]).toEqual([value, expect.stringMatching(/./)]);
    },
  );

  it('the choices of a flag, written either way, and of an argument', () => {
    expect(valuesFor('team', 'dispatch', '--backend', 'c')).toEqual(['cli-wrapper', 'cmux-pane']);
    expect(valuesFor('run', 'start', 'T.md', '--isolation', '')).toEqual(['tree', 'worktree']);
    expect(completionOf(PROGRAM, ['run', 'start', '--isolation=w'])).toMatchObject({
      candidates: [{ value: 'worktree' }],
      kept: '--isolation=',
    });
    expect(valuesFor('completion', 'z')).toEqual(['zsh']);
  });

  it('a word that bash has taken apart at its equals sign', () => {
    expect(completionOf(PROGRAM, ['run', 'start', '--isolation', '=', 'w'])).toMatchObject({
      candidates: [{ value: 'worktree' }],
      kept: '',
    });
    expect(valuesFor('run', 'start', '--isolation', '=')).toEqual(['tree', 'worktree']);
  });

  it.each([
    [['run', 'show', ''], 'run'],
    [['run', 'prune', 'r-1', ''], 'run'],
    [['run', 'show', '--run', ''], 'run'],
    [['run', 'show', 'r-1', ''], null],
    [['run', 'start', ''], 'file'],
    [['run', 'verify', '--key', 'a.pem', ''], 'file'],
    [['team', 'stop', 'ada', ''], 'worker'],
    [['team', 'dispatch', '--workers', ''], 'worker'],
    [['team', 'dispatch', '--workers=ada,'], 'worker'],
    [['team', 'await', '--timeout', ''], null],
    [['run', 'list', '--project', ''], 'folder'],
    [['audit', 'exec', '--', 'npm', ''], 'file'],
    [['doctor', ''], null],
  ])('%j expects %s', (words, kind) => {
    expect(completionOf(PROGRAM, words).expects).toBe(kind);
  });

  it('further workers of a list, with those before it kept', () => {
    expect(completionOf(PROGRAM, ['team', 'dispatch', '--workers', 'ada,bo'])).toMatchObject({
      kept: 'ada,',
      typed: 'bo',
    });
    expect(completionOf(PROGRAM, ['team', 'dispatch', '--workers=ada,bo'])).toMatchObject({
      kept: '--workers=ada,',
      typed: 'bo',
    });
  });

  it('a flag that says yes is not offered twice; nothing after -- is a flag', () => {
    expect(valuesFor('run', 'list', '--json', '--j')).toEqual([]);
    expect(valuesFor('run', 'list', '--run', 'r-1', '--ru')).toEqual(['--run']);
    expect(valuesFor('audit', 'exec', '--', '--')).toEqual([]);
  });

  it('which project and run are meant, wherever they stand', () => {
    expect(completionOf(PROGRAM, ['team', 'stop', '--run', 'r-1', '--project=/shop', '']).flags).toEqual({
      project: '/shop',
      run: 'r-1',
    });
    expect(completionOf(PROGRAM, ['run', 'show', 'r-2', '--']).flags.run).toBe('r-2');
  });

  it('is found for words of any kind', () => {
    const known = NODES.flatMap(({ path, command }) => [...path, ...command.options.flatMap(({ long }) => long ?? [])]);
    const word = fc.oneof(
      fc.constantFrom('', '-', '--', '=', ...known),
      fc.string(),
      fc.constantFrom(...known).map((one) => `${one}=`),
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 8 }), (words) => {
        const { candidates, kept, typed } = completionOf(PROGRAM, words);
        for (const { value } of candidates) expect(value.startsWith(typed)).toBe(true);
        expect((words.at(-1) ?? '') === '=' || `${kept}${typed}` === (words.at(-1) ?? '')).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});
