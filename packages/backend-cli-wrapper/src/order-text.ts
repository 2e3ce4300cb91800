import { type SupervisionOrder, supervisionOrderCodec } from '@bailiwick/dispatch-state';

/**
 * An order as one JSON document, job by job: that of a thousand jobs has six megabytes, and twice as many where one letter of it isn't
 * Latin. Throws DurableFileError DOCUMENT_INVALID before the first piece.
 */
export function orderText(order: SupervisionOrder): Iterable<string> {
  const { jobs, ...common } = supervisionOrderCodec.encode(order) as Encoded;
  return piecesOf(common, jobs);
}

/** What the codec makes of an order. */
type Encoded = Readonly<Record<string, unknown>> & { readonly jobs: readonly unknown[] };

function* piecesOf(common: Readonly<Record<string, unknown>>, jobs: readonly unknown[]): Generator<string> {
  yield `${JSON.stringify(common).slice(0, -1)},"jobs":[`;
  for (const [at, job] of jobs.entries()) yield `${at === 0 ? '' : ','}${JSON.stringify(job)}`;
  yield ']}';
}
