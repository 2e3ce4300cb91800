import type { BoundaryMode } from '@bailiwick/dispatch';
import { type BoundaryTest, type LayerTest, testBoundary, testLayer } from '@bailiwick/process-supervision';
import { type Finding, fail, ok, warn } from './finding.ts';

/** What holds workers here and how their end is known, by trying: what is installed proves nothing. */
export async function examineBoundary(o: {
  readonly path: string;
  readonly mode: BoundaryMode;
  /** Null where there is no project, so that nothing can be laid over it. */
  readonly projectRoot: string | null;
  readonly attemptsFolder: string;
}): Promise<readonly Finding[]> {
  const { path, mode, projectRoot: worktree, attemptsFolder } = o;
  const test = await testBoundary({ path });
  const hasLayers = test.kind === 'works' && mode !== 'off' && worktree !== null;
  const layer = hasLayers ? await testLayer({ program: test.program, path, worktree, attemptsFolder }) : undefined;
  return [boundaryFinding(test, mode), endFinding(test, mode), ...(layer === undefined ? [] : [layerFinding(layer)])];
}

function layerFinding(layer: LayerTest): Finding {
  return layer.kind === 'overlay'
    ? ok('layer', 'overlay, tried: what verifiers and their programs write in the project is thrown away')
    : warn(
        'layer',
        `copy: ${layer.reason}`,
        'verifiers work in a copy of the project, where that isn’t too large for it',
      );
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
