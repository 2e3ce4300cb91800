import { homedir, userInfo } from 'node:os';
import { type Examination, examineCmux, probeCmux, StandingKind } from '@bailiwick/backend-cmux';
import type { Finding } from '@bailiwick/run-workflow';
import { ExitCode } from '../exit-code.ts';
import type { Output } from '../output.ts';

/** Where this stands towards cmux, in one line with what to do; never a failure, since workers run without it. */
export async function cmuxFinding(): Promise<Finding> {
  const { standing, client } = await lookAtCmux();
  client?.close();
  const isFine = standing.kind === StandingKind.usable || standing.kind === StandingKind.notInCmux;
  return { check: 'cmux', level: isFine ? 'ok' : 'warn', message: standing.reason, advice: standing.advice };
}

/** Prints the forms of what cmux replies, one request a line, so that they can be compared with a fake's. Changes nothing. */
export async function printCmuxProbe(output: Output): Promise<ExitCode> {
  const { standing, client, caller } = await lookAtCmux();
  const replies = client === null ? [] : await probeCmux(client, caller);
  client?.close();
  const { kind, reason, advice, version } = standing;
  output.result<'cmux-probe'>({ standing: kind, reason, advice, version: version?.join('.') ?? null, replies }, () => [
    `${kind}: ${reason}`,
    ...(client === null ? [advice] : []),
    ...replies.map(({ method, outcome, shape }) => `${method} ${outcome} ${JSON.stringify(shape)}`),
  ]);
  return client === null ? ExitCode.failed : ExitCode.done;
}

function lookAtCmux(): Promise<Examination> {
  return examineCmux({ environment: process.env, home: homedir(), uid: userInfo().uid });
}
