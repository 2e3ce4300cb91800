import type { CmuxApp } from '../app.ts';
import { RpcFailure } from '../failure.ts';
import { actVerbs } from './act-verbs.ts';
import { listVerbs } from './list-verbs.ts';
import { reportVerbs } from './report-verbs.ts';
import { tokenize } from './tokenize.ts';
import { sidebarVerbs } from './verbs.ts';

const SIDEBAR = { ...sidebarVerbs, ...reportVerbs };
const VERBS = { ...listVerbs, ...actVerbs };
const HELP = `Available commands: ${['ping', 'auth', 'help', ...[VERBS, SIDEBAR].flatMap(Object.keys)].join(', ')}`;

/** Answers one line of the older half of the protocol; free text, without an end of its own. */
export function answerV1(app: CmuxApp, line: string): string {
  const [, name = '', rest = ''] = /^\s*(\S+)\s?(.*)$/s.exec(line) ?? [];
  try {
    return answer(app, name.toLowerCase(), rest);
  } catch (error) {
    if (error instanceof RpcFailure) return `ERROR: ${error.message}`;
    throw error;
  }
}

function answer(app: CmuxApp, command: string, rest: string): string {
  if (command === 'ping') return 'PONG';
  if (command === 'help') return HELP;
  const sidebar = own(SIDEBAR, command);
  if (sidebar !== undefined) return sidebar(app, tokenize(rest));
  const words = rest.trim() === '' ? [] : rest.trim().split(/\s+/);
  const verb = own(VERBS, command);
  return verb?.(app, words, rest) ?? `ERROR: Unknown command '${command}'. Use 'help' for available commands.`;
}

/** A command is a word of a client's: it may be the name of something that every object has. */
function own<T>(verbs: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(verbs, name) ? verbs[name] : undefined;
}
