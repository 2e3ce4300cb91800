import type { AgentExit, AgentObservation, EndVerdict } from '../observation.ts';
import { onOneLine } from './readable-text.ts';

/**
 * Keeps what the stream has said about its own end.
 *
 * E1: only a final event of the program makes the evidence positive; nothing about the exit does.
 * E2: a failure after a positive end takes it back.
 * E3: work that starts after an end takes the end back, since that end was not the last word.
 */
export interface Ending {
  positive(reason: string): AgentObservation;
  negative(reason: string, transient: boolean): AgentObservation;
  failure(message: string, transient: boolean): AgentObservation;
  /** A failure that takes no end back, since its place in the order is not known. */
  unorderedFailure(message: string, transient: boolean): AgentObservation;
  reopen(): void;
  /** The last text that was no event; it often says why nothing else came. */
  remark(text: string): void;
  verdict(exit: AgentExit): EndVerdict;
}

/** What a program's exit code says, where it says something. */
export type ExitMeaning = (exitCode: number) => { readonly meaning: string; readonly transient: boolean } | undefined;

type Standing = { readonly evidence: 'positive' | 'negative'; readonly reason: string; readonly transient: boolean };

/** `finalEvent` names, in words, the event whose absence means that the end is not proven. */
export function trackEnding(finalEvent: string, exitMeaning: ExitMeaning = () => undefined): Ending {
  let standing: Standing | undefined;
  let failed: { readonly message: string; readonly transient: boolean } | undefined;
  let remark = '';

  function stand(evidence: 'positive' | 'negative', reason: string, transient: boolean): AgentObservation {
    standing = { evidence, reason: onOneLine(reason), transient };
    if (evidence === 'positive') failed = undefined;
    return { kind: 'end', evidence, reason: standing.reason };
  }

  function fail(message: string, transient: boolean): string {
    failed = { message: onOneLine(message), transient };
    return failed.message;
  }

  return {
    positive: (reason) => stand('positive', reason, false),
    negative: (reason, transient) => stand('negative', reason, transient),
    failure(message, transient) {
      const shown = fail(message, transient);
      if (standing?.evidence === 'positive') {
        standing = { evidence: 'negative', reason: `failed after its end: ${shown}`, transient };
      }
      return { kind: 'failure', message: shown, transient };
    },
    unorderedFailure: (message, transient) => ({ kind: 'failure', message: fail(message, transient), transient }),
    reopen() {
      standing = undefined;
    },
    remark(text) {
      remark = onOneLine(text) || remark;
    },
    verdict(exit) {
      if (standing?.evidence === 'positive') return positiveVerdict(standing.reason, exit);
      if (standing !== undefined)
        return { endEvidence: 'negative', reason: standing.reason, transient: standing.transient };
      return absentVerdict(finalEvent, exit, { failed, remark, meaning: meaningOf(exit, exitMeaning) });
    },
  };
}

/** The exit in words: `exit code 3`, `signal SIGKILL`. */
export function describeExit(exit: AgentExit): string {
  if (exit.signal !== null) return `signal ${exit.signal}`;
  return exit.exitCode === null ? 'an unknown exit' : `exit code ${exit.exitCode}`;
}

function meaningOf(exit: AgentExit, exitMeaning: ExitMeaning): ReturnType<ExitMeaning> {
  return exit.exitCode === null ? undefined : exitMeaning(exit.exitCode);
}

function positiveVerdict(reason: string, exit: AgentExit): EndVerdict {
  const isClean = exit.exitCode === 0 && exit.signal === null;
  return {
    endEvidence: 'positive',
    reason: isClean ? reason : `${reason}, then ${describeExit(exit)}`,
    transient: false,
  };
}

function absentVerdict(
  finalEvent: string,
  exit: AgentExit,
  seen: {
    readonly failed: { readonly message: string; readonly transient: boolean } | undefined;
    readonly remark: string;
    readonly meaning: ReturnType<ExitMeaning>;
  },
): EndVerdict {
  const why = seen.failed?.message ?? seen.meaning?.meaning ?? seen.remark;
  const reason = `no ${finalEvent} came before ${describeExit(exit)}${why === '' ? '' : `: ${why}`}`;
  const transient = seen.failed?.transient ?? seen.meaning?.transient ?? false;
  return { endEvidence: 'absent', reason, transient };
}
