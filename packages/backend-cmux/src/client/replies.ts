import { z } from 'zod';
import { CmuxError } from '../errors.ts';
import { jsonOrNothing } from './relay-auth.ts';

const Reply = z.union([
  z.looseObject({ id: z.unknown(), ok: z.literal(true), result: z.record(z.string(), z.unknown()) }),
  z.looseObject({
    id: z.unknown(),
    ok: z.literal(false),
    error: z.looseObject({
      code: z.string(),
      message: z.string().catch(''),
      data: z.record(z.string(), z.unknown()).optional().catch(undefined),
    }),
  }),
]);

/** The result in a reply. Throws CmuxError: CMUX_REFUSED for an error of the app's, else as `refusalIn`. */
export function readReply(
  line: string,
  request: { readonly id: string; readonly method: string },
): Readonly<Record<string, unknown>> {
  if (!line.startsWith('{')) throw denialIn(line);
  const parsed = Reply.safeParse(jsonOrNothing(line));
  if (!parsed.success || (parsed.data.ok && parsed.data.id !== request.id))
    throw new CmuxError('CMUX_NOT_UNDERSTOOD', `the reply to ${request.method} has another form: ${excerpt(line)}`);
  const reply = parsed.data;
  if (reply.ok) return reply.result;
  const { code, message, data } = reply.error;
  if (code === 'auth_required') throw passwordNeeded();
  throw new CmuxError('CMUX_REFUSED', `cmux refused ${request.method}: ${code}: ${message}`, {
    rpcCode: code,
    ...(data === undefined ? {} : { data }),
  });
}

/**
 * What a plain text in place of a reply means. Denials come in plain text to any request; their words are known in English, and
 * in another language whoever gets no JSON for an answer isn't let in either.
 */
function denialIn(line: string): CmuxError {
  const refusal = refusalIn(line);
  return refusal.rpcCode === 'error_line' ? denied(line) : refusal;
}

/** What an error line of the older half of the protocol means. */
export function refusalIn(line: string): CmuxError {
  if (/access denied|only processes started inside cmux|verify client process/i.test(line)) return denied(line);
  if (/authentication required/i.test(line)) return passwordNeeded();
  const rpcCode = /unknown command/i.test(line) ? 'unknown_command' : 'error_line';
  return new CmuxError('CMUX_REFUSED', `cmux refused: ${excerpt(line)}`, { rpcCode });
}

export function denied(line: string): CmuxError {
  return new CmuxError('CMUX_DENIED', `cmux does not let this process in: ${excerpt(line)}`, {
    hint: 'run it inside cmux, or set automation.socketControlMode to "automation" in ~/.config/cmux/cmux.json',
  });
}

export function passwordNeeded(): CmuxError {
  return new CmuxError('CMUX_PASSWORD_NEEDED', 'cmux wants a password, and there is none or another one', {
    hint: 'set CMUX_SOCKET_PASSWORD',
  });
}

const EXCERPT_CHARACTERS = 120;

function excerpt(line: string): string {
  return line.length > EXCERPT_CHARACTERS ? `${line.slice(0, EXCERPT_CHARACTERS)}…` : line;
}
