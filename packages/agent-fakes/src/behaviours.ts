/**
 * What a scripted agent can be told to do, by name (`--as`). `work` is the honest default; every other one is a way
 * in which a real agent CLI has been seen to misbehave, or could.
 */
export const Behaviour = {
  /** Does its role's work, knowing only the prompt and the tree. */
  work: 'work',
  /** Ends well, having written nothing. */
  nothing: 'nothing',
  /** Exits 0 without a single event. */
  silent: 'silent',
  /** Truncates a source file to its first half and exits 1 without an end event. */
  half: 'half',
  /** The first attempt of an invocation ends well but writes no artifact, the later ones work. Needs `ledger`. */
  noResultOnce: 'no-result-once',
  /** Works, but also edits a source file and adds a git alias. */
  meddle: 'meddle',
  /** Works, but also edits another file, and declares it in its result. */
  declare: 'declare',
  /** Works, but also edits another file, and says nothing of it. */
  stray: 'stray',
  /** Prints 100 MB of valid events (`floodBytes`), then works. */
  flood: 'flood',
  /** Prints bytes that are not UTF-8, huge lines and foreign JSON between its events, and works. */
  noise: 'noise',
  /** Ignores SIGTERM and SIGINT, and never ends. */
  ignoreSigterm: 'ignore-sigterm',
  /** Leaves a process in its own session that ignores SIGTERM and holds stdout open; works. */
  grandchild: 'grandchild',
  /** Dies by SIGSEGV after its first event. */
  signal: 'signal',
  /** Prints its first event and then nothing, for ever. */
  hang: 'hang',
  /** Prints an event every 200 ms, for ever. */
  drip: 'drip',
  /** Works, served by another model than the one asked for. */
  wrongModel: 'wrong-model',
  /** Works, served by another model from its second turn on. */
  modelChange: 'model-change',
  /** Ends as the real CLI does when its model's API refuses (`status`, default 500). */
  apiError: 'api-error',
  /** Works, but also writes a file into the parent folder of its working folder. */
  outside: 'outside',
  /** Works, and commits what it did. */
  commit: 'commit',
  /** Waits after its first event (`delayMs`, default 5000), then works. */
  slow: 'slow',
} as const;

export type Behaviour = (typeof Behaviour)[keyof typeof Behaviour];
