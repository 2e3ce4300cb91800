import type { Role } from '@bailiwick/execution-identity';

/** Everything a prompt is made of. */
export interface PromptFacts {
  readonly role: Role;
  readonly title: string;
  readonly taskText: string;
  readonly modelRef: string;
  readonly resultPath: string;
  readonly workerResultPath: string;
  readonly workTree: string;
  readonly plannedPaths: readonly string[];
  readonly mayCommit: boolean;
  /** What earlier workers handed in, for the report writer; empty for the others. */
  readonly dossier: string;
  /** What a translator translates into; null for the others. */
  readonly language: string | null;
}

/**
 * The prompt of one invocation. The task's lines are quoted, so that nothing written there can pass for a header or an
 * instruction of ours.
 */
export function promptText(facts: PromptFacts): string {
  return `${[headers(facts), duty(facts), section('The task', quoted(facts.taskText)), dossier(facts), owed(facts)].filter((part) => part !== '').join('\n\n')}\n`;
}

function headers(facts: PromptFacts): string {
  const rows: readonly (readonly [string, string])[] = [
    ['Role', facts.role],
    ['Task', facts.title],
    ['Model', facts.modelRef],
    ['Result Path', facts.resultPath],
    ['Worker Result Path', facts.workerResultPath],
    ...(facts.language === null ? [] : [['Language', facts.language] as const]),
  ];
  return rows.map(([name, value]) => `**${name}:** ${value}`).join('\n');
}

function duty(facts: PromptFacts): string {
  return section('Your duty', DUTIES[facts.role](facts));
}

const DUTIES: Readonly<Record<Role, (facts: PromptFacts) => string>> = {
  implementer: (facts) =>
    `Do the task in the work tree ${facts.workTree}. ${plan(facts)} ${
      facts.mayCommit ? 'You may commit to the current branch.' : 'Do not commit, and do not change anything of git.'
    } Everything that changes in the tree is compared with what it was before you started.`,
  verifier: (facts) =>
    `Another worker has done the task in ${facts.workTree}. Check that it is really done: run the project's tests and look at the change. Change nothing in the tree; whatever changes is seen and counts against you.`,
  analyst: (facts) => `Answer the task by reading ${facts.workTree}. Change nothing in the tree.`,
  'report-writer': () =>
    'Write a report for the person who set the task: what was done, what was verified and how, what is open. Use only what stands below. Change nothing in the tree.',
  translator: () => 'Translate the report below faithfully. Change nothing in the tree.',
};

function plan({ plannedPaths }: PromptFacts): string {
  if (plannedPaths.length === 0) return 'You may change any source file in it.';
  return `The plan allows changes to: ${plannedPaths.join(', ')}. Declare every edit outside that in your result.`;
}

function dossier(facts: PromptFacts): string {
  return facts.dossier === ''
    ? ''
    : section(facts.role === 'translator' ? 'Report' : 'What was handed in', facts.dossier);
}

function owed(facts: PromptFacts): string {
  return section(
    'What you owe',
    `${OWED[facts.role]}\n\nWrite both files before you finish, at exactly these paths:\n\n- result: ${facts.resultPath}\n- worker result (a few lines of Markdown for whoever comes next): ${facts.workerResultPath}`,
  );
}

const IMPLEMENTATION =
  '{"schemaVersion":"1.0","implementation":{"summary":"…","outOfPlanEdits":[{"file":"…","reason":"…"}]}}';
const VERIFICATION =
  '{"schemaVersion":"1.0","verification":{"verdict":"pass" or "fail","summary":"…","checks":[{"name":"…","command":"…","exitCode":0}]}}';

/** What each role's result must hold: the excerpt of the result contract that its prompt quotes. */
export const OWED: Readonly<Record<Role, string>> = {
  implementer: `The result is JSON of this form: \`${IMPLEMENTATION}\`.`,
  verifier: `The result is JSON of this form: \`${VERIFICATION}\`.`,
  analyst: 'The result is JSON of this form: `{"schemaVersion":"1.0","analysis":{"summary":"…"}}`.',
  'report-writer': 'The result is the report in Markdown.',
  translator: 'The result is the translated report in Markdown.',
};

function section(title: string, body: string): string {
  return `## ${title}\n\n${body}`;
}

/** Everything that some program takes for the end of a line (Unicode's mandatory breaks, and what Python's splitlines adds). */
const LINE_ENDS = ['\r\n', '\n', '\v', '\f', '\r', '\u001c', '\u001d', '\u001e', '\u0085', '\u2028', '\u2029'];
const LINE_BREAK = new RegExp(LINE_ENDS.join('|'));

/** Quotes every line, so that no line of foreign text stands at the start of one of ours. */
export function quoted(text: string): string {
  return text
    .split(LINE_BREAK)
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');
}
