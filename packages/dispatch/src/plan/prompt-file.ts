import { isAbsolute, normalize, relative } from 'node:path';
import { findProvider } from '@bailiwick/agent-providers';
import { type Digest, digestOfBytes, readTextFile } from '@bailiwick/durable-files';
import { DispatchError } from '../errors.ts';
import { parsePromptHeaders } from './prompt-headers.ts';

/** Largest prompt that is read at all; a provider's own limit is usually smaller. */
const MAX_PROMPT_BYTES = 16 * 1024 * 1024;

/** What a prompt's bytes say and owe, checked; paths are absolute. */
export interface PromptFacts {
  readonly promptDigest: Digest;
  readonly promptBytes: number;
  readonly resultPath: string;
  readonly workerResultPath: string;
  readonly completionPaths: readonly string[];
}

/** The prompt's text; PROMPT_INVALID where there is none. */
export async function readPrompt(promptPath: string): Promise<string> {
  const text = await readTextFile(promptPath, { maxBytes: MAX_PROMPT_BYTES });
  if (text !== undefined && text.trim() !== '') return text;
  throw new DispatchError('PROMPT_INVALID', text === undefined ? 'the prompt is missing' : 'the prompt is empty', {
    path: promptPath,
  });
}

/** Digest, headers, outputs and size of a prompt (PL-5, WP-2, TR-4); refuses by INPUT_DIGEST_DIFFERS, PROMPT_*, OUTPUT_OUTSIDE_DROP_BOX. */
export function checkPrompt(
  text: string,
  o: {
    readonly promptPath: string;
    readonly inputDigest: Digest;
    readonly dropBoxPath: string;
    readonly provider: string;
  },
): PromptFacts {
  const promptDigest = checkedDigest(text, o);
  const headers = parsePromptHeaders(text, o.promptPath);
  const resultPath = outputPath(headers['Result Path'], o);
  const workerResultPath = outputPath(headers['Worker Result Path'], o);
  if (resultPath === workerResultPath)
    throw new DispatchError('PROMPT_INVALID', 'Result Path and Worker Result Path are the same file', {
      path: o.promptPath,
    });
  const promptBytes = Buffer.byteLength(text);
  refuseTooLarge(promptBytes, o);
  return { promptDigest, promptBytes, resultPath, workerResultPath, completionPaths: [resultPath, workerResultPath] };
}

function checkedDigest(text: string, o: { readonly inputDigest: Digest; readonly promptPath: string }): Digest {
  const digest = digestOfBytes(text);
  if (digest === o.inputDigest) return digest;
  throw new DispatchError(
    'INPUT_DIGEST_DIFFERS',
    `the prompt's bytes give ${digest}, its metadata say ${o.inputDigest}`,
    {
      path: o.promptPath,
      hint: 'the prompt was changed after its metadata were made: make both anew',
    },
  );
}

/** An output lies in the invocation's drop box and nowhere else (WP-2). */
function outputPath(value: string, o: { readonly dropBoxPath: string; readonly promptPath: string }): string {
  const path = normalize(value);
  const below = relative(o.dropBoxPath, path);
  if (isAbsolute(value) && below !== '' && !below.startsWith('..') && !isAbsolute(below)) return path;
  throw new DispatchError('OUTPUT_OUTSIDE_DROP_BOX', `output path ${value} isn't in the drop box ${o.dropBoxPath}`, {
    path: o.promptPath,
  });
}

function refuseTooLarge(promptBytes: number, o: { readonly provider: string; readonly promptPath: string }): void {
  const { maxPromptBytes, displayName } = findProvider(o.provider);
  if (promptBytes <= maxPromptBytes) return;
  throw new DispatchError(
    'PROMPT_TOO_LARGE',
    `the prompt has ${promptBytes} bytes, ${displayName} takes ${maxPromptBytes}`,
    {
      path: o.promptPath,
      hint: 'shorten the task, or let it name files to read instead of holding them',
    },
  );
}
