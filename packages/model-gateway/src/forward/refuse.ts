import type { ServerResponse } from 'node:http';
import { RefusalCode } from '../model.ts';

const STATUS: Readonly<Record<RefusalCode, number>> = {
  [RefusalCode.attemptUnknown]: 404,
  [RefusalCode.pathUnknown]: 404,
  [RefusalCode.modelRefused]: 403,
  [RefusalCode.requestTooLarge]: 413,
  [RefusalCode.upstreamUnreachable]: 502,
};

const MESSAGES: Readonly<Record<RefusalCode, string>> = {
  [RefusalCode.attemptUnknown]: 'no attempt has this path, or it has ended',
  [RefusalCode.pathUnknown]: 'nothing else of the model API goes through here',
  [RefusalCode.modelRefused]: 'this attempt may not use that model',
  [RefusalCode.requestTooLarge]: 'the request is too large to be looked into',
  [RefusalCode.upstreamUnreachable]: 'the model server can not be reached',
};

/** Answers in the gateway's own words, in a form that the clients of all formats show. Does nothing where an answer has begun. */
export function refuse(response: ServerResponse, code: RefusalCode): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const status = STATUS[code];
  const message = `model gateway: ${MESSAGES[code]} (${code})`;
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' });
  response.end(JSON.stringify({ type: 'error', error: { type: 'gateway_error', code, status: code, message } }));
}
