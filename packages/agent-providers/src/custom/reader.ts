import type { AgentExit, AgentObservation, AgentStreamReader, EndVerdict } from '../observation.ts';
import { questionIn } from '../stream/read-events.ts';
import { lineObservation } from '../stream/readable-text.ts';
import { createLineSplitter, type StreamLine } from '../stream/split-lines.ts';
import { describeExit } from '../stream/track-ending.ts';

/** A fresh reader of plain text. It knows no events, so the exit code is all the evidence there is (ST-7). */
export function customReader(): AgentStreamReader {
  const splitters = { stdout: createLineSplitter(), stderr: createLineSplitter() };
  let isOver = false;
  return {
    push: (chunk, channel = 'stdout') => (isOver ? [] : splitters[channel].push(chunk).flatMap(observe)),
    idle: () => (isOver ? [] : [...questionIn(splitters.stdout.tail()), ...questionIn(splitters.stderr.tail())]),
    end() {
      if (isOver) return [];
      isOver = true;
      return [...splitters.stdout.end(), ...splitters.stderr.end()].flatMap(observe);
    },
    verdict: judgeExit,
  };
}

function observe(line: StreamLine): readonly AgentObservation[] {
  const cut: readonly AgentObservation[] = line.cutBytes === 0 ? [] : [{ kind: 'noise', bytes: line.cutBytes }];
  return [...cut, ...questionIn(line.text), ...lineObservation(line.text)];
}

function judgeExit(exit: AgentExit): EndVerdict {
  if (exit.exitCode === 0 && exit.signal === null) {
    return { endEvidence: 'positive', reason: 'exit code 0, the only evidence this provider has', transient: false };
  }
  const isKnown = exit.exitCode !== null || exit.signal !== null;
  return { endEvidence: isKnown ? 'negative' : 'absent', reason: describeExit(exit), transient: false };
}
