import { layoutOfRun, listRuns, readOpenUnaudited, type UnauditedRecord } from '@bailiwick/dispatch-state';
import type { DispatchContext } from '../context.ts';
import { DispatchError } from '../errors.ts';

/** Refuses a dispatch while a v1 job of any run of the project isn't settled: nobody could tell whose the changes are. */
export async function refuseBesideUnaudited(context: Pick<DispatchContext, 'stateRoot'>): Promise<void> {
  const alive = await aliveUnaudited(context);
  if (alive.length === 0) return;
  throw new DispatchError(
    'BESIDE_UNAUDITED',
    'unaudited jobs run in this project: what they change can’t be told apart',
    {
      names: alive.map((record) => `${record.workerId} of ${record.runId}`),
      hint: '`bailiwick team await` settles them, `bailiwick team stop` ends them',
    },
  );
}

/** Every attempt of a v1 job of any run of the project that isn't settled. */
async function aliveUnaudited({ stateRoot }: Pick<DispatchContext, 'stateRoot'>): Promise<readonly UnauditedRecord[]> {
  const runIds = await listRuns(stateRoot);
  const alive = await Promise.all(runIds.map((runId) => readOpenUnaudited(layoutOfRun(stateRoot, runId))));
  return alive.flat();
}
