import { z } from 'zod';

/** A command as a tool: the same words, the same flags, the same document. */
export interface CommandTool {
  readonly name: string;
  readonly words: readonly string[];
  readonly description: string;
  readonly input: z.ZodObject;
  /** The fields that are arguments of the command, in their order; all others are flags. */
  readonly positional: readonly string[];
  /** It waits for workers: where the connection ends it lets go of them. Others are short, and come to their end. */
  readonly waits: boolean;
  readonly effect: 'reads' | 'writes' | 'ends-workers';
}

/** Fit for an argument of a process. */
const text = z.string().regex(/^[^\0]+$/);
const run = text.optional().describe('run id; default as of the command line');
const project = text
  .optional()
  .describe('the project; default: that of the server, else the git top level above its folder');
const timeout = z
  .string()
  .regex(/^\d+(\.\d+)?(ms|s|m|h|d)$/)
  .optional()
  .describe('stop waiting after, e.g. 90s, 10m; what runs goes on');
const maxCost = z
  .number()
  .positive()
  .optional()
  .describe('US dollars: nothing more is launched once so much is known to be spent');
const isolation = z.enum(['tree', 'worktree']).optional().describe('where workers change files');
const task = text.describe('path of the task file, Markdown');

const dispatching = {
  backend: z.enum(['cli-wrapper', 'cmux-pane']).optional(),
  ownWorkspace: z
    .boolean()
    .optional()
    .describe('with cmux-pane: a workspace for the workers where cmux does not know this terminal'),
  maxConcurrent: z.int().min(1).optional().describe('workers at a time'),
  maxCost,
};

function tool(
  words: string,
  o: Omit<CommandTool, 'name' | 'words' | 'input' | 'positional' | 'waits' | 'effect'> &
    Partial<Pick<CommandTool, 'positional' | 'waits' | 'effect'>> & { readonly input?: z.ZodRawShape },
): CommandTool {
  const { input = {}, positional = [], waits = false, effect = 'writes', description } = o;
  const all = z.strictObject({ ...input, project });
  return {
    name: words.replaceAll(' ', '_'),
    words: words.split(' '),
    description,
    input: all,
    positional,
    waits,
    effect,
  };
}

/** What a lead agent needs to drive a team; what would give it a shell or take things away (audit exec, run prune) is left to people. */
export const TOOLS: readonly CommandTool[] = [
  tool('run create', {
    description: 'Makes a run from a task file: manifest, prompts, state. Starts nothing.',
    input: { task, isolation, maxCost },
    positional: ['task'],
  }),
  tool('run start', {
    description:
      'Makes a run from a task file and takes it through every phase: implement, verify, report. Takes as long as the workers do; cancelling it ends them.',
    input: { task, isolation, ...dispatching },
    positional: ['task'],
    waits: true,
  }),
  tool('run resume', {
    description: 'Goes on where a run stopped. Takes as long as the workers do; cancelling it ends them.',
    input: {
      run,
      liftStop: z.boolean().optional().describe('let workers that were stopped run again'),
      ...dispatching,
    },
    positional: ['run'],
    waits: true,
  }),
  tool('run show', {
    description:
      'What a run holds: who did what, with which model, what changed, what the audit says. Default: the newest.',
    input: { run },
    positional: ['run'],
    effect: 'reads',
  }),
  tool('run list', { description: 'The runs of the project, oldest first.', effect: 'reads' }),
  tool('run verify', {
    description: 'Recomputes every digest of a run and checks seals and records against the files.',
    input: { run, requireSigned: z.boolean().optional().describe('take no unsigned seal') },
    positional: ['run'],
    effect: 'reads',
  }),
  tool('run report', {
    description: 'Writes a run as one HTML page, and says where.',
    input: { run, out: text.optional().describe("where to write it; default: in the run's folder") },
    positional: ['run'],
  }),
  tool('run apply', {
    description: "Takes the audited change of a verified run's own worktree into the project.",
    input: { run },
    positional: ['run'],
  }),
  tool('run discard', {
    description: "Drops a run's own worktree; what it held is kept in the run's folder.",
    input: { run },
    positional: ['run'],
  }),
  tool('team dispatch', {
    description:
      'Starts workers of a run and settles them. With wait: false it returns once they run: team_await settles them later. Cancelling it ends what it started.',
    input: {
      run,
      workers: z.array(text).min(1).optional().describe('worker ids; default: the roster'),
      jobs: text.optional().describe('a jobs file instead of the roster'),
      dryRun: z.boolean().optional().describe('pass every gate and give the plan; change nothing'),
      wait: z.boolean().optional(),
      timeout,
      ...dispatching,
    },
    waits: true,
  }),
  tool('team await', {
    description: 'Settles what runs, whoever started it. Cancelling it leaves the workers at work.',
    input: { run, timeout, maxCost },
    waits: true,
  }),
  tool('team status', { description: 'Workers, attempts, ages, last output lines.', input: { run }, effect: 'reads' }),
  tool('team stop', {
    description:
      'Ends workers (all, where none is named) with everything they started. Durable: none starts again until a resume with liftStop.',
    input: { workers: z.array(text).optional(), run, grace: timeout.describe('time to end politely') },
    positional: ['workers'],
    effect: 'ends-workers',
  }),
  tool('doctor', { description: 'Checks what runs need here, and says what to do about it.', effect: 'reads' }),
  tool('models list', { description: 'Every model that can be named.', effect: 'reads' }),
  tool('models resolve', {
    description: 'What a model ref resolves to on this host, or why it does not.',
    input: { ref: text.describe('such as claude/sonnet') },
    positional: ['ref'],
    effect: 'reads',
  }),
];
