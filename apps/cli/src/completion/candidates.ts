import type { Argument, Command, Option } from 'commander';

/** A word that may stand next, and what it means. */
interface Candidate {
  readonly value: string;
  readonly description: string;
}

/** What a value is, where it is looked up: by us, or among files by the shell. */
type ValueKind = 'run' | 'worker' | 'file' | 'folder';

/** What may come for the word that is being typed. */
export interface Completion {
  /** Commands, flags and choices that begin as the word does. */
  readonly candidates: readonly Candidate[];
  /** What else may stand there; null where nothing. */
  readonly expects: ValueKind | null;
  /** The part of the word that stands already, such as `--run=` or `ada,`. */
  readonly kept: string;
  /** The part that is being typed. */
  readonly typed: string;
  /** What the words before say of which project and run are meant. */
  readonly flags: Readonly<Record<'project' | 'run', string | undefined>>;
}

/** What may follow words of a command line, of which the last one is being typed. Pure: reads the tree of commands alone. */
export function completionOf(program: Command, words: readonly string[]): Completion {
  const [current = '', ...before] = unsplit(words).toReversed();
  const place = before.reverse().reduce(advance, { command: program, ...AT_START });
  const flags = { project: place.values.get('project'), run: place.values.get('run') };
  const [, name, value] = /^(--[^=]+)=(.*)$/s.exec(current) ?? [];
  if (place.waits !== null) return { ...valueCompletion(place.waits, current), flags };
  const named = name === undefined ? undefined : findOption(place.command, name);
  if (named !== undefined) {
    const completion = valueCompletion(named, value ?? '');
    return { ...completion, kept: `${name}=${completion.kept}`, flags };
  }
  return { ...(current.startsWith('-') && !place.isLiteral ? flagCompletion : wordCompletion)(place, current), flags };
}

/** bash hands `--run=a` over as three words. */
function unsplit(words: readonly string[]): readonly string[] {
  const isSign = (at: number): boolean => words[at] === '=' && (words[at - 1] ?? '').startsWith('--');
  const kept = words.filter((_, at) => !isSign(at));
  return isSign(words.length - 1) ? [...kept, ''] : kept;
}

/** Where the words before the current one lead. */
interface Place {
  readonly command: Command;
  /** The option whose value comes next. */
  readonly waits: Option | null;
  /** How many arguments of the command stand already. */
  readonly given: number;
  /** After `--` nothing is a flag. */
  readonly isLiteral: boolean;
  readonly used: readonly Option[];
  readonly values: ReadonlyMap<string, string>;
}

const AT_START = { waits: null, given: 0, isLiteral: false, used: [], values: new Map<string, string>() } as const;

function advance(place: Place, word: string): Place {
  const { command, waits, isLiteral } = place;
  if (waits !== null && !(waits.variadic && word.startsWith('-'))) return withValue(place, waits, word);
  if (!isLiteral && word === '--') return { ...place, isLiteral: true };
  if (!isLiteral && word.startsWith('-')) return withFlag(place, word);
  const child = place.given === 0 && !isLiteral ? command.commands.find((one) => one.name() === word) : undefined;
  if (child !== undefined) return { ...place, command: child };
  const name = command.registeredArguments[place.given]?.name();
  const values = name === 'run' ? new Map([...place.values, ['run', word]]) : place.values;
  return { ...place, given: place.given + 1, values };
}

function withValue(place: Place, option: Option, word: string): Place {
  const values = new Map([...place.values, [option.attributeName(), word]]);
  return { ...place, values, waits: option.variadic ? option : null };
}

function withFlag(place: Place, word: string): Place {
  const [name = '', value] = word.split(/=(.*)/s);
  const option = findOption(place.command, name);
  if (option === undefined) return { ...place, waits: null };
  const used = [...place.used, option];
  if (value !== undefined) return { ...withValue({ ...place, used }, option, value), waits: null };
  return { ...place, used, waits: option.required || option.optional ? option : null };
}

function findOption(command: Command, name: string): Option | undefined {
  return command.options.find(({ long, short }) => long === name || short === name);
}

type Found = Omit<Completion, 'flags'>;

function flagCompletion({ command, used }: Place, current: string): Found {
  const isSpent = (option: Option): boolean => used.includes(option) && !option.required;
  const options = command
    .createHelp()
    .visibleOptions(command)
    .filter((option) => !isSpent(option));
  const flags = options.flatMap(({ long, description }) => (long == null ? [] : [{ value: long, description }]));
  return { candidates: startingWith(current, flags), expects: null, kept: '', typed: current };
}

function wordCompletion({ command, given, isLiteral }: Place, current: string): Found {
  const { registeredArguments: all } = command;
  const last = all.at(-1);
  const argument = all[given] ?? (last?.variadic === true ? last : undefined);
  const commands = given === 0 && !isLiteral ? command.createHelp().visibleCommands(command) : [];
  const words = commands.map((child) => ({ value: child.name(), description: child.description() }));
  const own = argument === undefined ? NOTHING : valueCompletion(argument, current);
  return {
    ...own,
    candidates: [...startingWith(current, words), ...own.candidates],
    typed: own.kept === '' ? current : own.typed,
  };
}

const NOTHING: Found = { candidates: [], expects: null, kept: '', typed: '' };

/** What an option or argument takes, by its choices or by the name that its usage gives it. */
function valueCompletion(taker: Option | Argument, current: string): Found {
  const [, kept = '', typed = ''] = isList(taker) ? (/^(.*,)?([^,]*)$/s.exec(current) ?? []) : ['', '', current];
  const choices = (taker.argChoices ?? []).map((value) => ({ value, description: '' }));
  return { candidates: startingWith(typed, choices), expects: KINDS[placeholderOf(taker)] ?? null, kept, typed };
}

/** `--workers a,b` */
function isList(taker: Option | Argument): boolean {
  return placeholderOf(taker) === 'ids';
}

function placeholderOf(taker: Option | Argument): string {
  const text = 'flags' in taker ? (/[<[]([^>\]]+)[>\]]/.exec(taker.flags)?.[1] ?? '') : taker.name();
  return text.replace(/\.\.\.$/, '');
}

const KINDS: Readonly<Record<string, ValueKind>> = {
  run: 'run',
  runs: 'run',
  workers: 'worker',
  ids: 'worker',
  task: 'file',
  file: 'file',
  files: 'file',
  command: 'file',
  dir: 'folder',
};

function startingWith(typed: string, candidates: readonly Candidate[]): readonly Candidate[] {
  return candidates.filter(({ value }) => value.startsWith(typed));
}
