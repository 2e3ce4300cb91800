import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import type { ModelRule } from '../model.ts';

/** The largest request that is held to read its model's name, in bytes; agents were seen to send up to 10 MB. */
const MAX_REQUEST_BYTES = 64 * 1024 * 1024;

const Asking = z.looseObject({ model: z.string().min(1).max(200) });

/** True where requests must be looked into before they go on. */
export function hasRule(rule: ModelRule | undefined): rule is ModelRule {
  return rule !== undefined && (rule.only !== undefined || rule.never !== undefined);
}

/** Whether a request for this model may go on; one whose model can't be told may not. */
export function isAllowed(rule: ModelRule, model: string | undefined): boolean {
  if (model === undefined || rule.never?.includes(model) === true) return false;
  return rule.only === undefined || rule.only.includes(model);
}

/** The model that a request's body asks for; undefined where that can't be told. */
export function modelIn(body: Buffer): string | undefined {
  try {
    const parsed = Asking.safeParse(JSON.parse(body.toString('utf8')));
    return parsed.success ? parsed.data.model : undefined;
  } catch {
    return undefined;
  }
}

/** The whole body of a request; undefined above the bound. */
export async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > MAX_REQUEST_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
