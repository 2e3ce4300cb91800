import { type DocumentCodec, defineDocument } from '@bailiwick/durable-files';
import { invocationIssues } from './invocation-rules.ts';
import { manifestIssues } from './manifest-rules.ts';
import type { DispatchRecord } from './model/dispatch-record.ts';
import type { Invocation } from './model/invocation.ts';
import type { RunManifest } from './model/run-manifest.ts';
import type { StatusSidecar } from './model/status-sidecar.ts';
import type { SupervisionOrder } from './model/supervision-order.ts';
import type { StopIntent, TeamState } from './model/team-state.ts';
import { recordIssues } from './record-rules.ts';
import { sharingBatch } from './sharing-batch.ts';
import { DispatchRecordV2 } from './wire/dispatch-record-v2.ts';
import { InvocationV1 } from './wire/invocation-v1.ts';
import { RunManifestV2 } from './wire/run-manifest-v2.ts';
import { StatusSidecarV1 } from './wire/status-sidecar-v1.ts';
import { describing } from './wire/stored-form.ts';
import { SupervisionOrderV1 } from './wire/supervision-order-v1.ts';
import { StopIntentV1, TeamStateV1 } from './wire/team-state-v1.ts';

/**
 * `run-manifest.json`, version 2.0. As every codec here, it throws DurableFileError: DOCUMENT_INVALID with the bad paths as JSON
 * pointers in `issues`, DOCUMENT_NEWER_VERSION for a version that this code doesn't know.
 */
export const runManifestCodec: DocumentCodec<RunManifest> = defineDocument({
  name: 'run manifest',
  version: '2.0',
  schema: describing<RunManifest, typeof RunManifestV2>(RunManifestV2),
  check: manifestIssues,
});

/** `invocations/<invocationRef>.json`, version 1.0. */
export const invocationCodec: DocumentCodec<Invocation> = defineDocument({
  name: 'invocation',
  version: '1.0',
  schema: describing<Invocation, typeof InvocationV1>(InvocationV1),
  check: invocationIssues,
});

/** `dispatches/<dispatchId>.json`, version 2.0. */
export const dispatchRecordCodec: DocumentCodec<DispatchRecord> = sharingBatch(
  defineDocument({
    name: 'dispatch record',
    version: '2.0',
    schema: describing<DispatchRecord, typeof DispatchRecordV2>(DispatchRecordV2),
    check: recordIssues,
  }),
);

/** `sidecars/<dispatchId>.json`, version 1.0. */
export const statusSidecarCodec: DocumentCodec<StatusSidecar> = defineDocument({
  name: 'status sidecar',
  version: '1.0',
  schema: describing<StatusSidecar, typeof StatusSidecarV1>(StatusSidecarV1),
});

/** `team-state.json`, version 1.0. */
export const teamStateCodec: DocumentCodec<TeamState> = defineDocument({
  name: 'team state',
  version: '1.0',
  schema: describing<TeamState, typeof TeamStateV1>(TeamStateV1),
});

/** `stops/<workerId>.json`, version 1.0. */
export const stopIntentCodec: DocumentCodec<StopIntent> = defineDocument({
  name: 'stop intent',
  version: '1.0',
  schema: describing<StopIntent, typeof StopIntentV1>(StopIntentV1),
});

/** The order that a supervisor reads from its standard input, version 1.0. */
export const supervisionOrderCodec: DocumentCodec<SupervisionOrder> = defineDocument({
  name: 'supervision order',
  version: '1.0',
  schema: describing<SupervisionOrder, typeof SupervisionOrderV1>(SupervisionOrderV1),
});
