import { z } from 'zod';

/** What a worker's JSON result says, as far as it can be read; a worker's word is data, never trusted further. */
export interface WorkerResult {
  readonly verdict: 'pass' | 'fail' | null;
  readonly summary: string | null;
  /** Files that an implementer declares to have edited outside its plan (MA-4); well-formed rows only. */
  readonly outOfPlanEdits: readonly string[];
}

const ResultV1 = z.looseObject({
  implementation: z.looseObject({ summary: z.unknown(), outOfPlanEdits: z.unknown() }).partial().optional(),
  verification: z.looseObject({ verdict: z.unknown(), summary: z.unknown() }).partial().optional(),
  analysis: z.looseObject({ summary: z.unknown() }).partial().optional(),
});

const EditRowV1 = z.looseObject({ file: z.string().min(1) });

/** Reads the result of an implementer, verifier or analyst; anything malformed is as if it weren't there. */
export function parseWorkerResult(text: string): WorkerResult {
  const parsed = ResultV1.safeParse(jsonOrUndefined(text));
  if (!parsed.success) return { verdict: null, summary: null, outOfPlanEdits: [] };
  const { implementation, verification, analysis } = parsed.data;
  const verdict = verification?.verdict;
  const summary = implementation?.summary ?? verification?.summary ?? analysis?.summary;
  return {
    verdict: verdict === 'pass' || verdict === 'fail' ? verdict : null,
    summary: typeof summary === 'string' ? summary : null,
    outOfPlanEdits: editedFiles(implementation?.outOfPlanEdits),
  };
}

function editedFiles(rows: unknown): readonly string[] {
  if (!Array.isArray(rows)) return [];
  return rows.flatMap((row) => {
    const parsed = EditRowV1.safeParse(row);
    return parsed.success ? [parsed.data.file] : [];
  });
}

function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
