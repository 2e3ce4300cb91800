// Takes a snapshot of a tree and compares it; arguments: the tree and where the snapshot goes, or nothing for a process that does
// neither. Prints its peak memory in MB and the longest time for which its event loop stood still, in ms. Wants `--expose-gc`.
import { readFileSync, rmSync } from 'node:fs';
import { compareWithSnapshot, takeSnapshot } from '@bailiwick/mutation-audit';

const [root, snapshotPath] = process.argv.slice(2);
const KB_PER_MB = 1024;

// What a start leaves behind is the caller's own: collected while the audit has the cores, it would be the longest standstill of all.
globalThis.gc();
let longestMs = 0;
let lastMs = performance.now();
const beat = setInterval(() => {
  const nowMs = performance.now();
  longestMs = Math.max(longestMs, nowMs - lastMs);
  lastMs = nowMs;
}, 1);
if (root === undefined || snapshotPath === undefined) await new Promise((resolve) => setTimeout(resolve, 500));
else {
  await takeSnapshot({ roots: [{ path: root, git: 'auto' }], snapshotPath, exclude: [] });
  await compareWithSnapshot({ snapshotPath });
  rmSync(snapshotPath);
}
clearInterval(beat);
process.stdout.write(JSON.stringify({ peakMb: peakMb(), longestMs }));

/** `getrusage` would count what the process was before it became this program: a copy of its parent. */
function peakMb() {
  const peak = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
  return Number(peak) / KB_PER_MB;
}
