import { createInterface } from 'node:readline/promises';

/** Asks on a terminal; without one the answer is yes, since nobody could give another. */
export async function confirm(question: string): Promise<boolean> {
  if (process.stdin.isTTY !== true) return true;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^(y|yes|)$/i.test((await terminal.question(`${question} [Y/n] `)).trim());
  } finally {
    terminal.close();
  }
}
