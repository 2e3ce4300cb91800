import type { FakeAgentRequest } from './fake-agent-request.ts';
import type { TaskPrompt } from './prompt.ts';
import type { Happening } from './speak/dialect-speech.ts';

/** One running scripted agent, as its behaviours and roles see it. */
export interface Agent {
  readonly request: FakeAgentRequest;
  readonly prompt: TaskPrompt;
  /** The working folder: the tree it works in. */
  readonly cwd: string;
  /** What the programs that it starts inherit. */
  readonly env: Readonly<NodeJS.ProcessEnv>;
  /** Prints the happening's events; resolves when the reader has taken them. */
  tell(happening: Happening): Promise<void>;
  /** Prints bytes as they are. */
  print(bytes: Uint8Array | string): Promise<void>;
  /** The exit code of the CLI after a `failed` happening. */
  exitCodeOfFailure(status?: number): number;
  readonly interruption: Interruption;
}

/** What is undone when SIGTERM or SIGINT comes. */
export interface Interruption {
  /** Adds a synchronous clean-up; the returned function takes it back. */
  onInterrupt(undo: () => void): () => void;
  /** From now on the signals are ignored. */
  ignore(): void;
}

/** What an agent does from its start to its exit code. */
export type Behave = (agent: Agent) => Promise<number>;
