import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { ModelDialect, ReplyBody, ReplyHead, SentEvent } from './dialects/dialect.ts';
import type { ModelRequest } from './model-request.ts';
import { placeCall } from './place-call.ts';
import { fillPlaceholders } from './placeholders.ts';
import type { BreakingPoint, ScriptedCall, ScriptedReply } from './scenario.ts';

/** Everything that one answer is made from. */
export interface ReplyContext {
  readonly dialect: ModelDialect;
  readonly request: ModelRequest;
  readonly conversation: readonly string[];
  readonly reply: ScriptedReply;
  /** Number of the answer, for its ids. */
  readonly nth: number;
  readonly namesModelInHeader: boolean;
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal;
}

/** Answers as the script says. Resolves when all is sent, or when the client has gone. */
export async function sendReply(response: ServerResponse, context: ReplyContext): Promise<void> {
  const { reply, dialect, signal } = context;
  if (reply.delayMs !== undefined) await pause(reply.delayMs, undefined, { signal });
  switch (reply.answer) {
    case 'status':
      return sendStatus(response, reply, dialect);
    case 'hang':
      await beginReply(response, context, reply.after);
      return untilGone(signal);
    case 'drop':
      await beginReply(response, context, reply.after);
      response.socket?.destroy();
      return;
    default:
      return context.request.isStreamed ? sendStream(response, context) : sendWhole(response, context);
  }
}

function sendStatus(
  response: ServerResponse,
  reply: Extract<ScriptedReply, { answer: 'status' }>,
  dialect: ModelDialect,
): void {
  const retryAfter = reply.retryAfterSeconds;
  const headers = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
  response.writeHead(reply.status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(dialect.error(reply.status)));
}

/** The part of an answer after which it breaks off. */
async function beginReply(response: ServerResponse, context: ReplyContext, upTo: BreakingPoint): Promise<void> {
  if (upTo === 'request') return;
  response.writeHead(200, headersOf(context));
  response.flushHeaders();
  if (upTo === 'headers') return;
  const stream = context.dialect.stream(headOf(context));
  const events = context.request.isStreamed ? [...stream.open, ...stream.piece('I will ')] : [{ data: '{' }];
  await send(response, events, context.signal);
}

async function sendWhole(response: ServerResponse, context: ReplyContext): Promise<void> {
  const body = bodyOf(context);
  const text = JSON.stringify(context.dialect.whole(headOf(context), body));
  response.writeHead(200, { ...headersOf(context), 'content-length': String(Buffer.byteLength(text)) });
  response.end(text);
}

async function sendStream(response: ServerResponse, context: ReplyContext): Promise<void> {
  const { signal, reply, dialect } = context;
  const body = bodyOf(context);
  const stream = dialect.stream(headOf(context));
  response.writeHead(200, headersOf(context));
  await send(response, stream.open, signal);
  if (reply.answer === 'trickle') await trickle(response, { ...reply, text: body.text, stream, signal });
  else if (body.text !== '') await send(response, stream.piece(body.text), signal);
  await send(response, stream.close(body), signal);
  response.end();
}

async function trickle(
  response: ServerResponse,
  o: {
    readonly text: string;
    readonly everyMs: number;
    readonly forever?: boolean | undefined;
    readonly stream: ReturnType<ModelDialect['stream']>;
    readonly signal: AbortSignal;
  },
): Promise<void> {
  for (let round = 1; round === 1 || o.forever === true; round += 1) {
    // Counted, since some programs take words that repeat for a loop and end the turn themselves.
    for (const piece of o.forever === true ? `${o.text}${round} ` : o.text) {
      await send(response, o.stream.piece(piece), o.signal);
      await pause(o.everyMs, undefined, { signal: o.signal });
    }
  }
}

async function send(response: ServerResponse, events: readonly SentEvent[], signal: AbortSignal): Promise<void> {
  const text = events.map(({ event, data }) => {
    const line = `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
    return event === undefined ? line : `event: ${event}\n${line}`;
  });
  if (text.length === 0) return;
  // Until it is handed to the operating system: a connection that is dropped next has carried it.
  await new Promise<void>((resolve) => response.write(text.join(''), () => resolve()));
  signal.throwIfAborted();
}

function untilGone(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

function headersOf(context: ReplyContext): Record<string, string> {
  const named = context.namesModelInHeader ? { 'openai-model': headOf(context).model } : {};
  return { 'content-type': context.request.isStreamed ? 'text/event-stream' : 'application/json', ...named };
}

function headOf({ nth, reply, request }: ReplyContext): ReplyHead {
  return { id: `fake_${nth}`, model: reply.model ?? request.model };
}

function bodyOf(context: ReplyContext): ReplyBody {
  const { reply, conversation } = context;
  if (reply.answer === 'text' || reply.answer === 'trickle')
    return { text: fillPlaceholders(reply.text, conversation) };
  if (reply.answer !== 'tool') return { text: '' };
  const call = placeCall(filled(reply.call, conversation), context.request.tools, `call_${context.nth}`);
  // An agent that offers no such tool is told so in words, where whoever reads the record sees it.
  if (call === undefined) return { text: `You offer no tool for: ${reply.call.tool}` };
  return { text: fillPlaceholders(reply.text ?? '', conversation), call };
}

function filled(call: ScriptedCall, conversation: readonly string[]): ScriptedCall {
  const fill = (text: string): string => fillPlaceholders(text, conversation);
  if (call.tool === 'shell') return { ...call, command: fill(call.command) };
  if (call.tool === 'write') return { ...call, path: fill(call.path), text: fill(call.text) };
  return call;
}
