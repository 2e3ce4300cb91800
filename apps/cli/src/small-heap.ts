import { setFlagsFromString } from 'node:v8';

/** Node's majors whose V8 is known to have both flags: of one that it doesn't know it would complain on stderr. */
const KNOWN_MAJORS = new Set(['22', '24']);

// Of what a command makes for each worker it keeps little, and then it may wait for hours: with a thousand workers, what nobody had
// collected yet was more than half of its memory. Left alone, V8's young generation grows to three times 16 MB and stays so, and the
// old one is collected when it is twice what lives. Neither can be given by whoever types `bailiwick`; V8 reads both at each collection.
if (KNOWN_MAJORS.has(process.versions.node.split('.')[0] ?? '')) {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=20');
}
