import type { DocumentIssue } from '@bailiwick/durable-files';
import { buildDispatchId, roleOfAudience } from '@bailiwick/execution-identity';
import type { UnauditedRecord } from './model/unaudited.ts';
import { isTerminalStatus } from './stages.ts';

const END_FIELDS = ['finishedAt', 'lifecycle', 'result'] as const;

/** What a schema can't say of a v1 job's record: its parts agree, it is tried once, and a terminal one says how it ended. */
export function unauditedIssues(record: UnauditedRecord): readonly DocumentIssue[] {
  const { dispatchId, invocationId, attempt, audience, role, status, result, lifecycle } = record;
  const isEnded = isTerminalStatus(status);
  const rows: readonly (readonly [boolean, string, string])[] = [
    [dispatchId !== buildDispatchId(invocationId, attempt), '/dispatchId', 'is not made of invocationId and attempt'],
    [attempt !== 1, '/attempt', 'what nobody audits is tried once'],
    [roleOfAudience(audience) !== role, '/role', `does not go with audience "${audience}"`],
    ...END_FIELDS.map(
      (field) => [(record[field] !== null) !== isEnded, `/${field}`, `does not go with status "${status}"`] as const,
    ),
    [status === 'completed' && lifecycle?.end !== 'exited', '/lifecycle/end', 'completes nothing'],
    [
      status === 'completed' && (result?.missing.length ?? 0) > 0,
      '/result/missing',
      'nothing is missing from a completion',
    ],
    [
      result !== null && result.isTaken !== (status === 'completed'),
      '/result/isTaken',
      `does not go with status "${status}"`,
    ],
  ];
  return rows.filter(([isFound]) => isFound).map(([, path, message]) => ({ path, message }));
}
