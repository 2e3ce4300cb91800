import { type SupervisionOrder, supervisionOrderCodec } from '@bailiwick/dispatch-state';
import { defineDocument, type JsonValue } from '@bailiwick/durable-files';
import { z } from 'zod';

/** What the program in a pane is handed: an order of its own, and what it shares with the other panes of the batch. */
export interface PaneEnvelope {
  readonly schemaVersion: '1.0';
  /** The live lock of the whole batch: one of its panes holds it at any time. */
  readonly batchLockPath: string;
  /** What it prints first, for who watches. */
  readonly heading: string;
  readonly order: SupervisionOrder;
}

const PaneEnvelopeV1 = z.strictObject({
  schemaVersion: z.literal('1.0'),
  batchLockPath: z.string().min(1),
  heading: z.string(),
  order: z.unknown(),
});

const envelopeCodec = defineDocument<z.infer<typeof PaneEnvelopeV1>>({
  name: 'pane envelope',
  version: '1.0',
  schema: PaneEnvelopeV1,
});

export function encodeEnvelope(envelope: PaneEnvelope): string {
  const order: JsonValue = supervisionOrderCodec.encode(envelope.order);
  return JSON.stringify(envelopeCodec.encode({ ...envelope, order }));
}

/** Throws DurableFileError, or SyntaxError for what was cut short; neither quotes what it read, which holds secrets. */
export function decodeEnvelope(text: string): PaneEnvelope {
  const envelope = envelopeCodec.decode(JSON.parse(text), 'what the pane was handed');
  return { ...envelope, order: supervisionOrderCodec.decode(envelope.order, 'the order of the pane') };
}
