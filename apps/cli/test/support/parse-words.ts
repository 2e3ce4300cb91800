import { type Command, CommanderError } from 'commander';
import { buildProgram } from '../../src/program.ts';

/** What the parser of the command line tells of words, and what it throws: the program itself makes an exit code of that. */
export async function parseWords(
  words: readonly string[],
): Promise<{ readonly stdout: string; readonly stderr: string; readonly error: CommanderError }> {
  const told = { stdout: '', stderr: '' };
  const program = buildProgram('1.0.0');
  for (const command of commandsOf(program))
    command.configureOutput({
      writeOut(text) {
        told.stdout += text;
      },
      writeErr(text) {
        told.stderr += text;
      },
    });
  try {
    await program.parseAsync([...words], { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) return { ...told, error };
    throw error;
  }
  throw new Error(`${words.join(' ')} is no wrong usage`);
}

function commandsOf(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(commandsOf)];
}
