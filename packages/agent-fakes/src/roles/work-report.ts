/** An edit that an implementer made outside its plan, as its result declares it. */
export interface OutOfPlanEdit {
  readonly file: string;
  readonly reason: string;
}

/** What a role did, before it is written down. */
export interface WorkReport {
  /** False ends the stream with the dialect's failure event. */
  readonly isDone: boolean;
  readonly summary: string;
  /** Lines of the worker result, below the summary. */
  readonly notes: readonly string[];
  /** The text of the result file. */
  resultText(outOfPlanEdits: readonly OutOfPlanEdit[]): string;
}

/** A result document as its file's text. */
export function resultJson(document: Readonly<Record<string, unknown>>): string {
  return `${JSON.stringify({ schemaVersion: '1.0', ...document }, null, 2)}\n`;
}
