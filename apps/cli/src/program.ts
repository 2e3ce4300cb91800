import { Argument, Command, CommanderError, Option } from 'commander';
import type { CommonFlags } from './common-flags.ts';
import { reportOf } from './error-report.ts';
import { ExitCode } from './exit-code.ts';
import { append, count, duration, list, usd } from './flag-values.ts';
import { createOutput, type Output } from './output.ts';

/** What a command gets: where to print, what it was asked. It answers with its exit code. */
type Handler<F> = (output: Output, flags: F, ...args: string[]) => Promise<ExitCode>;

/** Parses the command line, runs the command that it names, and sets the exit code. */
export async function runProgram(argv: readonly string[], version: string): Promise<void> {
  const program = buildProgram(version);
  try {
    await program.parseAsync([...argv]);
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    process.exitCode = error.exitCode === 0 ? ExitCode.done : refuseUsage(argv, error);
  }
}

/** With `--json` a wrong usage is a JSON document too; commander has told a person already. */
function refuseUsage(argv: readonly string[], error: CommanderError): ExitCode {
  if (argv.includes('--json'))
    process.stdout.write(
      `${JSON.stringify({ error: { code: 'USAGE', message: error.message.replace(/^error: /, '') } })}\n`,
    );
  return ExitCode.refused;
}

/** The tree of all commands with their flags. */
export function buildProgram(version: string): Command {
  const program = new Command('bailiwick');
  program
    .description(
      'Dispatches teams of coding-agent CLIs and proves who did what, with which model, where, and what really changed.',
    )
    .version(version)
    .exitOverride()
    .showSuggestionAfterError()
    .configureHelp({ showGlobalOptions: true });
  addProjectCommands(program);
  addRunCommands(program.command('run').description('a run: from a task file to a verified, audited result'));
  addTeamCommands(program.command('team').description('the workers of a run'));
  addAuditCommands(program.command('audit').description('the mutation audit as a tool of its own'));
  addModelCommands(program.command('models').description('the model pool'));
  addServing(program);
  for (const command of allCommands(program)) command.exitOverride();
  return program;
}

function addProjectCommands(program: Command): void {
  common(program.command('init'))
    .description('find the agent CLIs installed here and write .bailiwick/config.json')
    .option('--yes', 'do not ask')
    .action(run(async () => (await import('./commands/init.ts')).init));
  common(program.command('doctor'))
    .description('check what runs need here, and say what to do about it')
    .option('--cmux-probe', 'print what cmux really replies, to be compared with what is expected of it')
    .action(run(async () => (await import('./commands/doctor.ts')).doctor));
}

function addRunCommands(group: Command): void {
  const isolation = new Option('--isolation <kind>', 'where workers change files').choices(['tree', 'worktree']);
  common(group.command('create <task>'))
    .description('make a run: manifest, prompts with metadata, state')
    .addOption(isolation)
    .addOption(maxCost())
    .action(run(async () => (await import('./commands/run-create.ts')).runCreate));
  dispatching(common(group.command('start <task>')))
    .description('make a run and take it through every phase')
    .addOption(isolation)
    .action(run(async () => (await import('./commands/run-start.ts')).runStart));
  dispatching(common(group.command('resume [run]')))
    .description('go on where manifest and records say a run stopped')
    .option('--lift-stop', 'let workers that were stopped run again')
    .action(run(async () => (await import('./commands/run-start.ts')).runResume));
  common(group.command('apply [run]'))
    .description("take the audited change of a run's own worktree into the project")
    .action(run(async () => (await import('./commands/run-apply.ts')).runApply));
  common(group.command('discard [run]'))
    .description("drop a run's worktree; what it held is kept in the run's folder")
    .action(run(async () => (await import('./commands/run-apply.ts')).runDiscard));
  common(group.command('list'))
    .description('the runs of this project')
    .action(run(async () => (await import('./commands/run-show.ts')).runList));
  common(group.command('show [run]'))
    .description('what one run holds')
    .action(run(async () => (await import('./commands/run-show.ts')).runShow));
  common(group.command('report [run]'))
    .description('one run as an HTML page that needs nothing else: timeline, attempts, changes and who made them')
    .option('--out <file>', "where to write it; default: report.html in the run's folder")
    .action(run(async () => (await import('./commands/run-report.ts')).runReport));
  common(group.command('prune [runs...]'))
    .description('what of settled runs may go, and how many bytes that is; with --yes it goes')
    .option('--older-than <duration>', 'leave younger runs alone, e.g. 12h, 30d', duration)
    .option('--yes', 'take away what may go')
    .action(runVariadic(async () => (await import('./commands/run-prune.ts')).runPrune));
  common(group.command('verify [run]'))
    .description('recompute every digest, offline, and check every seal and record against the files')
    .option('--key <files...>', "public keys to trust; default: this user's own")
    .option('--anchor <digests...>', 'digests of last seals that were noted elsewhere')
    .option('--require-signed', 'take no unsigned seal, also where the worker could have had the key')
    .action(run(async () => (await import('./commands/run-verify.ts')).runVerify));
}

function addTeamCommands(group: Command): void {
  dispatching(common(group.command('dispatch')))
    .description('start workers of a run, and settle them unless told not to wait')
    .option('--workers <ids>', 'worker ids, separated by commas', list)
    .option('--jobs <file>', 'a jobs file instead of the roster')
    .option('--allow-unaudited', 'let jobs of the first generation run, which nobody can audit; with --jobs')
    .option('--dry-run', 'pass every gate and print the plan; change nothing')
    .option('--no-wait', 'return once the workers run')
    .option('--timeout <duration>', 'stop waiting after, e.g. 90s, 10m, 2h', duration)
    .action(run(async () => (await import('./commands/team-dispatch.ts')).teamDispatch));
  common(group.command('await'))
    .description('settle what runs, until nothing does')
    .addOption(maxCost())
    .option('--timeout <duration>', 'stop waiting after, e.g. 90s, 10m, 2h', duration)
    .action(run(async () => (await import('./commands/team-await.ts')).teamAwait));
  common(group.command('status'))
    .description('workers, attempts, ages, last output line')
    .option('--watch', 'go on printing until nothing runs')
    .action(run(async () => (await import('./commands/team-status.ts')).teamStatusCommand));
  common(group.command('stop [workers...]'))
    .description('end workers with everything they started, and settle them as stopped')
    .option('--grace <duration>', 'time to end politely', duration)
    .action(runVariadic(async () => (await import('./commands/team-stop.ts')).teamStop));
}

function addAuditCommands(group: Command): void {
  common(group.command('exec <command...>'))
    .description('run any command under a write policy and print what it changed')
    .option('--allow <glob>', 'what it may write, below the project; may be repeated', append)
    .option('--read-only', 'it may write nothing that git does not ignore')
    .option('--policy <file>', 'a write policy instead, as JSON')
    .option('--sarif <file>', 'write the violations as a SARIF log too')
    .action(runVariadic(async () => (await import('./commands/audit-exec.ts')).auditExec));
}

function addModelCommands(group: Command): void {
  common(group.command('list'))
    .description('every model that can be named, and what it is on this host')
    .action(run(async () => (await import('./commands/models.ts')).modelsList));
  common(group.command('check'))
    .description('whether every row of the pool, yours among them, can be used')
    .action(run(async () => (await import('./commands/models.ts')).modelsCheck));
  common(group.command('resolve <ref>'))
    .description('what a ref resolves to on this host, or why it does not')
    .action(run(async () => (await import('./commands/models.ts')).modelsResolve));
}

function addServing(program: Command): void {
  program
    .command('mcp')
    .description('the same verbs as an MCP server on stdio, so that a lead agent drives a team without a shell')
    .option('--project <dir>', 'the project of calls that name none; default: the git top level above this folder')
    .option('--quiet', 'no progress')
    .action(run(async () => (await import('./commands/mcp.ts')).mcp));
  program
    .command('completion')
    .addArgument(new Argument('<shell>', 'whose script to print').choices(['bash', 'zsh', 'fish']))
    .description('print what a shell is to source so that it completes commands, flags, runs and workers')
    .option('--json', 'print one JSON document on stdout and nothing else')
    .action(run(async () => (await import('./commands/completion.ts')).completion));
  program
    .command('__complete [words...]', { hidden: true })
    .action(async (words: string[]) => (await import('./completion/complete-words.ts')).completeWords(program, words));
}

function common(command: Command): Command {
  return command
    .option('--project <dir>', 'the project; default: the git top level above this folder')
    .option('--run <run>', 'the run; default: the only unfinished one, or the newest')
    .option('--json', 'print one JSON document on stdout and nothing else')
    .option('--verbose', 'print stack traces')
    .option('--quiet', 'no progress');
}

function dispatching(command: Command): Command {
  return command
    .option('--max-concurrent <n>', 'workers at a time', count)
    .addOption(maxCost())
    .addOption(
      new Option('--backend <kind>', 'where workers run').choices(['cli-wrapper', 'cmux-pane']).default('cli-wrapper'),
    )
    .option('--own-workspace', 'with cmux-pane: a workspace for the workers where cmux does not know this terminal');
}

function maxCost(): Option {
  return new Option('--max-cost <usd>', 'launch nothing more once the run is known to have cost this').argParser(usd);
}

/** Loads a command's own chunk, runs it, and turns what it throws into the error report and exit code. */
function run<F extends CommonFlags>(load: () => Promise<Handler<F>>): (...args: unknown[]) => Promise<void> {
  return async (...args) => {
    const values = args.slice(0, -2).filter((value) => typeof value === 'string');
    // commander passes the arguments, then the options, then the command itself
    await execute(load, args.at(-2) as F, values);
  };
}

function runVariadic<F extends CommonFlags>(load: () => Promise<Handler<F>>): (...args: unknown[]) => Promise<void> {
  return async (...args) => {
    const values = Array.isArray(args[0]) ? args[0].map(String) : [];
    await execute(load, args.at(-2) as F, values);
  };
}

async function execute<F extends CommonFlags>(
  load: () => Promise<Handler<F>>,
  flags: F,
  values: readonly string[],
): Promise<void> {
  const output = createOutput({
    json: flags.json === true,
    quiet: flags.quiet === true,
    verbose: flags.verbose === true,
  });
  try {
    const handler = await load();
    process.exitCode = await handler(output, flags, ...values);
  } catch (error) {
    const report = reportOf(error);
    output.error(report, error);
    process.exitCode = report.exitCode;
  }
}

function allCommands(command: Command): readonly Command[] {
  return command.commands.flatMap((child) => [child, ...allCommands(child)]);
}
