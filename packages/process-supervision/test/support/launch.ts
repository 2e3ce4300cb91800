import { type ChildProcess, spawn } from 'node:child_process';
import { type SupervisionOrder, supervisionOrderCodec } from '@bailiwick/dispatch-state';
import { programPath } from '@bailiwick/tooling/program-path';
import { type LaunchLine, parseLaunchLine } from '../../src/index.ts';
import { until } from './until.ts';

export interface Supervisor {
  readonly child: ChildProcess;
  readonly lines: readonly LaunchLine[];
  /** Resolves with the first line of a kind. */
  line<K extends LaunchLine['kind']>(kind: K): Promise<Extract<LaunchLine, { kind: K }>>;
  /** Resolves when the supervisor's process has ended. */
  readonly ended: Promise<void>;
}

export const SUPERVISOR_PROGRAM = programPath('supervisor-main');

/** Starts the real program on an order, as a backend does. */
export function launchSupervisor(
  order: SupervisionOrder | string,
  environment: Readonly<Record<string, string>> = {},
): Supervisor {
  const child = spawn(process.execPath, [SUPERVISOR_PROGRAM], {
    detached: true,
    env: { PATH: '/usr/bin:/bin', ...environment },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines: LaunchLine[] = [];
  let rest = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    const parts = (rest + chunk.toString('utf8')).split('\n');
    rest = parts.pop() ?? '';
    for (const line of parts.map(parseLaunchLine)) if (line !== undefined) lines.push(line);
  });
  child.stdin?.end(typeof order === 'string' ? order : JSON.stringify(supervisionOrderCodec.encode(order)));
  type Line<K> = Extract<LaunchLine, { kind: K }>;
  return {
    child,
    lines,
    line: (kind) => until(`line ${kind}`, () => lines.find((line): line is Line<typeof kind> => line.kind === kind)),
    ended: new Promise((resolve) => child.once('exit', () => resolve())),
  };
}
