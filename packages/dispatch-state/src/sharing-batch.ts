import type { DocumentCodec } from '@bailiwick/durable-files';
import type { DispatchRecord } from './model/dispatch-record.ts';

/**
 * A codec whose records of one batch hold one list of its invocations: each record names all of them, so that a thousand
 * records that are read would else hold a million names. Remembers the list that was seen last, and nothing more.
 */
export function sharingBatch(codec: DocumentCodec<DispatchRecord>): DocumentCodec<DispatchRecord> {
  let last: DispatchRecord['batchInvocations'] = [];
  return {
    ...codec,
    decode(value, where) {
      const record = codec.decode(value, where);
      if (!isSame(record.batchInvocations, last)) last = record.batchInvocations;
      return { ...record, batchInvocations: last };
    },
  };
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name, at) => name === other[at]);
}
