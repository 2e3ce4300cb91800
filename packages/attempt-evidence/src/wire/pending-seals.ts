import { type DocumentCodec, defineDocument } from '@bailiwick/durable-files';
import { PendingSealsV1 } from './v1.ts';

/** Seals that are appended to a chain together, each by the text of its file, in the order of their sequence. */
export interface PendingSeals {
  readonly schemaVersion: '1.0';
  readonly seals: readonly string[];
}

/** `seals/pending.json`, version 1.0. */
export const pendingSealsCodec: DocumentCodec<PendingSeals> = defineDocument<PendingSeals>({
  name: 'list of seals to be appended',
  version: '1.0',
  schema: PendingSealsV1,
});
