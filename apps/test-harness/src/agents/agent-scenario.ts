import type { ModelScenario, ScriptedTurn } from '@bailiwick/agent-fakes';
import type { AgentProgram } from './agent-program.ts';

/** What the last attempt must have come to. */
export interface ExpectedRecord {
  readonly status: readonly string[];
  readonly attempts?: number;
  readonly audit?: readonly string[];
  /** A part of the reason. */
  readonly reason?: RegExp;
  readonly servedModelSource?: string;
}

/** One way in which model and program can go, with its defined record. */
export interface AgentScenario {
  readonly name: string;
  readonly turns: readonly ScriptedTurn[];
  readonly limits: { readonly hardMinutes: number; readonly idleMinutes: number };
  /** The program gets SIGTERM once the conversation holds a tool result. */
  readonly isTerminated?: boolean;
  /** A file, relative to the project, that must be what it was: it is none of the agent's. */
  readonly untouched?: string;
  expected(program: AgentProgram): ExpectedRecord;
}

/** Far above what any of the programs needs for two turns, start included, even where ten others want the same processor. */
const AMPLE = { hardMinutes: 5, idleMinutes: 5 };

/** For limits that are to be met: still above what the slowest program needs before it asks its model, on a busy machine. */
const BRIEF_MINUTES = 1;

const RESULT = '{"schemaVersion":"1.0","implementation":{"summary":"Done.","outOfPlanEdits":[]}}';
/** Without command substitution, which some programs refuse whole; the drop box is there already. */
const HAND_IN = [`printf '%s' '${RESULT}' > "{{Result Path}}"`, `printf 'Done.\\n' > "{{Worker Result Path}}"`].join(
  '; ',
);
const EDIT = "printf '// mended\\n' >> src/one.js";

const shell = (...commands: readonly string[]): ScriptedTurn => ({
  answer: 'tool',
  text: 'I will do it.',
  call: { tool: 'shell', command: commands.join('; ') },
});
const DONE: ScriptedTurn = { answer: 'text', text: 'It is done.' };
const OTHER_MODEL = 'some-other-model-9';

/** The matrix. */
export const AGENT_SCENARIOS: readonly AgentScenario[] = [
  {
    name: 'success',
    // What the shell prints goes to the model: the real key must not be in it.
    turns: [shell(EDIT, HAND_IN, 'env'), DONE],
    limits: AMPLE,
    expected: () => ({ status: ['completed'], attempts: 1, audit: ['ok'], servedModelSource: 'wire' }),
  },
  {
    name: 'nothing-written',
    turns: [DONE],
    limits: AMPLE,
    expected: () => ({ status: ['error'], attempts: 2, audit: ['failed-no-mutation'], reason: /missing/ }),
  },
  {
    name: 'wrong-model',
    turns: [{ ...DONE, model: OTHER_MODEL }],
    limits: AMPLE,
    expected: () => ({ status: ['error'], attempts: 1, reason: /served model/ }),
  },
  {
    name: 'model-change',
    turns: [shell(EDIT, HAND_IN), { ...DONE, model: OTHER_MODEL }],
    limits: AMPLE,
    expected: () => ({ status: ['error'], attempts: 1, reason: /served model/ }),
  },
  {
    name: 'hang',
    turns: [{ answer: 'hang', after: 'first-event' }],
    limits: { hardMinutes: 3, idleMinutes: BRIEF_MINUTES },
    expected: () => ({ status: ['timeout'], attempts: 1, reason: /printed nothing/ }),
  },
  {
    name: 'hard-limit',
    turns: [{ answer: 'trickle', text: 'still at it ', everyMs: 50, forever: true }],
    limits: { hardMinutes: BRIEF_MINUTES, idleMinutes: 3 },
    expected: () => ({ status: ['timeout'], attempts: 1, reason: /still running/ }),
  },
  {
    name: 'http-500',
    turns: [{ answer: 'status', status: 500 }],
    limits: { hardMinutes: BRIEF_MINUTES, idleMinutes: BRIEF_MINUTES },
    expected: failing,
  },
  {
    name: 'dropped-connection',
    turns: [{ answer: 'drop', after: 'first-event' }],
    limits: { hardMinutes: BRIEF_MINUTES, idleMinutes: BRIEF_MINUTES },
    expected: failing,
  },
  {
    name: 'write-outside',
    turns: [shell(EDIT, "printf 'stray\\n' >> ../TASK.md", HAND_IN), DONE],
    limits: AMPLE,
    untouched: '../TASK.md',
    expected: () => ({ status: ['completed'], attempts: 1, audit: ['ok'] }),
  },
  {
    name: 'write-git-config',
    turns: [shell(EDIT, 'git config alias.ship "push --force"', HAND_IN), DONE],
    limits: AMPLE,
    untouched: '.git/config',
    expected: () => ({ status: ['completed'], attempts: 1, audit: ['ok'] }),
  },
  {
    name: 'sigterm',
    turns: [shell(EDIT), { answer: 'hang', after: 'first-event' }],
    limits: AMPLE,
    isTerminated: true,
    expected: () => ({ status: ['error'], attempts: 1, audit: ['mutation-present-unresolved'] }),
  },
];

/** A program that gives up has failed; one that asks on is ended by the limits. Neither has done anything. */
function failing({ onFailure }: AgentProgram): ExpectedRecord {
  return onFailure === 'gives-up'
    ? { status: ['error'], audit: ['failed-no-mutation'] }
    : { status: ['timeout', 'error'], audit: ['failed-no-mutation'] };
}

/** What the fake model is told. A program whose prompt is one line that names a file reads that file first. */
export function modelScenarioOf(
  scenario: AgentScenario,
  { readsPromptFile }: Pick<AgentProgram, 'readsPromptFile'>,
): ModelScenario {
  if (readsPromptFile === true)
    return { schemaVersion: '1.0', promptHolds: 'task is in the file', turns: [READ_PROMPT, ...scenario.turns] };
  return { schemaVersion: '1.0', promptHolds: 'Worker Result Path', turns: scenario.turns };
}

const READ_PROMPT = shell('cat "{{Prompt File}}"');
