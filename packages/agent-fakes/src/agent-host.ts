import type { Interruption } from './agent.ts';
import type { Speech } from './speak/dialect-speech.ts';

/** What one scripted agent runs on: a process of its own, or whatever stands for one. */
export interface AgentHost {
  /** The working folder: the tree it works in. */
  readonly cwd: string;
  readonly env: Readonly<NodeJS.ProcessEnv>;
  readonly pid: number;
  /** The prompt, once all of it is there. */
  readPrompt(): Promise<string>;
  /** Prints bytes as they are; rejects once nobody reads any more. */
  readonly print: (bytes: Uint8Array | string) => Promise<void>;
  /** Says why it refuses, where no stream has begun. */
  complain(message: string): void;
  /** What is undone when a signal comes, which then ends the agent with the given exit code, or by the signal where that is null. */
  watchInterruption(exitCodeOfSignal: Speech['exitCodeOfSignal']): Interruption;
}
