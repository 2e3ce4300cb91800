import { readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Subject } from '../crash/subject.ts';
import type { Fault } from './fault.ts';
import { awaitAll, dispatch, dispatchUnsettled, ends, standing } from './steps.ts';

/** What can happen to a document that was whole. */
const DAMAGES = {
  half: { name: 'half', codes: ['DOCUMENT_DAMAGED'], apply: (text: string) => text.slice(0, text.length / 2) },
  newer: { name: 'a newer version of', codes: ['DOCUMENT_NEWER_VERSION', 'NEWER_VERSION'], apply: ofNewerVersion },
} as const;
type Damage = (typeof DAMAGES)[keyof typeof DAMAGES];

/** Documents that are read before anything starts. */
const BEFORE_LAUNCH = {
  'the manifest': /^run-manifest\.json$/,
  'the prompt metadata': /^prompts\/.*implementer.*\.meta\.json$/,
};
/** Documents that settlement reads. */
const BEFORE_SETTLEMENT = {
  'the record': /^dispatches\/.*\.json$/,
  'the sidecar': /^sidecars\/.*\.json$/,
};

/** Half a document, and one of a newer version, of each kind: refused by code, kept as it is, and settled once it's whole again. */
export function documentFaults(): readonly Fault[] {
  return Object.values(DAMAGES).flatMap((damage) => [
    ...Object.entries(BEFORE_LAUNCH).map(([what, path]) => launchFault(damage, what, path)),
    ...Object.entries(BEFORE_SETTLEMENT).map(([what, path]) => settlementFault(damage, what, path)),
    contractFault(damage),
  ]);
}

/** What can't be read holds up nothing else (AW-3). */
export const halfRecordBesideAnother: Fault = {
  name: 'half the record of one attempt, and another attempt to settle',
  outcome: 'DOCUMENT_DAMAGED for the one; the other is settled as completed',
  project: {
    config: {
      team: {
        implementer: { model: 'claude/sonnet' },
        verifiers: [{ model: 'codex/gpt-5.5' }, { model: 'codex/gpt-5.5' }],
        reportWriter: { model: 'gemini/gemini-2.5-pro' },
      },
    },
  },
  run: async (subject) => {
    const implemented = await dispatch(subject);
    for (const worker of ['verifier-1', 'verifier-2']) await dispatchUnsettled(subject, worker);
    const path = await findFile(subject, /^dispatches\/.*verifier-1.*\.json$/);
    await writeFile(path, DAMAGES.half.apply(await readFile(path, 'utf8')));
    const ended = await awaitAll(subject);
    const other = JSON.parse(await readFile(await findFile(subject, /^dispatches\/.*verifier-2.*\.json$/), 'utf8'));
    return [
      ...ends(implemented, { exitCodes: [0] }),
      ...ends(ended, { exitCodes: [1], codes: DAMAGES.half.codes }),
      ...(other.status === 'completed' ? [] : [`the other attempt is "${other.status}"`]),
    ];
  },
};

/** A baseline that can't be read is no baseline. */
export const halfSnapshot: Fault = {
  name: 'half the snapshot',
  outcome: 'the attempt ends as unverifiable; no fresh snapshot takes its place',
  run: async (subject) => {
    await dispatchUnsettled(subject);
    const path = await findFile(subject, /^snapshots\/.*\.snap$/);
    const bytes = await readFile(path);
    await writeFile(path, bytes.subarray(0, bytes.byteLength / 2));
    const ended = await awaitAll(subject);
    const { length } = await readFile(path);
    return [
      ...ends(ended, { exitCodes: [1] }),
      ...(ended.printed.includes('unverifiable') ? [] : [`it isn't called unverifiable: ${ended.printed}`]),
      ...(length === Math.floor(bytes.byteLength / 2) ? [] : ['the snapshot was replaced']),
    ];
  },
};

function launchFault(damage: Damage, what: string, pattern: RegExp): Fault {
  return {
    name: `${damage.name} ${what}, at dispatch`,
    outcome: `refused with ${damage.codes.join(' or ')}; nothing is started; the file stays; dispatched once it is whole again`,
    run: (subject) =>
      whileDamaged(
        subject,
        { damage, pattern },
        {
          damaged: async () => [
            ...ends(await dispatch(subject), { exitCodes: [1, 2], codes: damage.codes }),
            ...(await standing(subject, { status: 'unclaimed', isTornBySelf: true })),
          ],
          whole: async () => ends(await dispatch(subject), { exitCodes: [0] }),
        },
      ),
  };
}

function settlementFault(damage: Damage, what: string, pattern: RegExp): Fault {
  return {
    name: `${damage.name} ${what}, at settlement`,
    outcome: `${damage.codes.join(' or ')}; the file stays; settled as completed once it is whole again`,
    run: async (subject) => {
      await dispatchUnsettled(subject);
      return whileDamaged(
        subject,
        { damage, pattern },
        {
          damaged: async () => ends(await awaitAll(subject), { exitCodes: [1, 2], codes: damage.codes }),
          whole: async () => ends(await awaitAll(subject), { exitCodes: [0] }),
        },
      );
    },
  };
}

/** Without its contract an attempt is never settled as anything but an error (WP-6). */
function contractFault(damage: Damage): Fault {
  return {
    name: `${damage.name} the invocation with its contract, at settlement`,
    outcome: 'the attempt ends as an error that says so, or not before the contract can be read; the file stays',
    run: async (subject) => {
      await dispatchUnsettled(subject);
      const path = await findFile(subject, /^invocations\/.*\.json$/);
      const damaged = damage.apply(await readFile(path, 'utf8'));
      await writeFile(path, damaged);
      const ended = await awaitAll(subject);
      const isSaid = ended.printed.includes(basename(path));
      return [
        ...ends(ended, { exitCodes: [1] }),
        ...(isSaid ? [] : [`it doesn't say what can't be read: ${ended.printed}`]),
        ...((await readFile(path, 'utf8')) === damaged ? [] : [`${path} was changed`]),
        ...(ended.printed.includes('"status":"completed"') ? ['it was settled as completed'] : []),
      ];
    },
  };
}

/** Damages a file, looks, checks that it was left as it was, puts it right and looks again. */
async function whileDamaged(
  subject: Subject,
  { damage, pattern }: { readonly damage: Damage; readonly pattern: RegExp },
  look: { readonly damaged: () => Promise<readonly string[]>; readonly whole: () => Promise<readonly string[]> },
): Promise<readonly string[]> {
  const path = await findFile(subject, pattern);
  const text = await readFile(path, 'utf8');
  await writeFile(path, damage.apply(text));
  const damaged = await look.damaged();
  const isKept = (await readFile(path, 'utf8')) === damage.apply(text);
  await writeFile(path, text);
  return [
    ...damaged,
    ...(isKept ? [] : [`${path} was changed`]),
    ...(await look.whole()),
    ...(await standing(subject, { status: 'completed', isTornBySelf: true })),
  ];
}

async function findFile({ runDirectory }: Subject, pattern: RegExp): Promise<string> {
  const found = (await readdir(runDirectory, { recursive: true })).find((name) => pattern.test(name));
  if (found === undefined) throw new Error(`nothing in ${runDirectory} is called ${pattern.source}`);
  return join(runDirectory, found);
}

function ofNewerVersion(text: string): string {
  return `${JSON.stringify({ ...JSON.parse(text), schemaVersion: '99.0' }, undefined, 2)}\n`;
}
