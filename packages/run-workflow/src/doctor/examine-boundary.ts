import type { BoundaryMode } from '@bailiwick/dispatch';
import { type BoundaryTest, testBoundary } from '@bailiwick/process-supervision';
import { type Finding, fail, ok, warn } from './finding.ts';

/** What holds workers here and how their end is known, by trying: what is installed proves nothing. */
export async function examineBoundary(path: string, mode: BoundaryMode): Promise<readonly Finding[]> {
  const test = await testBoundary({ path });
  return [boundaryFinding(test, mode), endFinding(test, mode)];
}

function boundaryFinding(test: BoundaryTest, mode: BoundaryMode): Finding {
  const audited = 'every change is audited after the fact; violations are seen, not stopped';
  if (mode === 'off') return warn('boundary', 'none: switched off in the config', audited);
  if (test.kind === 'works') {
    const nests = test.nests ? 'starts inside' : "doesn't start inside, and is left out";
    return ok('boundary', `bubblewrap, tried: it held a write back; an agent's own sandbox ${nests}`);
  }
  const reason = `none: ${test.reason}`;
  return mode === 'required'
    ? fail('boundary', reason, 'the config demands one: install bubblewrap, or allow user namespaces')
    : warn('boundary', reason, `${audited}; where the agent has a sandbox of its own, that holds it`);
}

function endFinding(test: BoundaryTest, mode: BoundaryMode): Finding {
  return test.kind === 'works' && mode !== 'off'
    ? ok('end proof', 'namespace: the kernel ends what a worker started')
    : warn('end proof', 'search: what a worker started is looked for and ended', 'a boundary would prove it');
}
