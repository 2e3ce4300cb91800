import {
  type DocumentCodec,
  type DocumentIssue,
  DurableFileError,
  defineDocument,
  digestOfBytes,
  documentIssuesOf,
} from '@bailiwick/durable-files';
import { PREDICATE_TYPE, type Seal, type SealEnvelope, type SealStatement } from '../model.ts';
import { statementIssues } from './statement-rules.ts';
import { SealEnvelopeV1, SealStatementV1 } from './v1.ts';

const envelopeCodec: DocumentCodec<SealEnvelope> = defineDocument<SealEnvelope>({
  name: 'evidence seal',
  version: '1.0',
  schema: SealEnvelopeV1,
  check: base64Issues,
});

/**
 * A seal from its file's text (`seals/<seal key>.json`, `seals/head.json`), which must be byte for byte what `writeSeal` writes: white
 * space that was moved is damage too. Signature and chain are not looked at.
 *
 * @throws DurableFileError DOCUMENT_INVALID with JSON pointers, those into the statement after `/payload`; DOCUMENT_NEWER_VERSION for an
 * envelope or predicate of a later version
 */
export function decodeSeal(text: string, where: string): Seal {
  const seal = sealOf(envelopeCodec.decode(parseJson(text, where, ''), where), where);
  if (seal.text === text) return seal;
  throw invalid(where, [{ path: '', message: 'holds a seal, but not byte for byte as it was written' }]);
}

/** A seal from its envelope. Throws as `decodeSeal`. */
export function sealOf(envelope: SealEnvelope, where: string): Seal {
  const statement = decodeStatement(Buffer.from(envelope.payload, 'base64'), where);
  const text = `${JSON.stringify(envelopeCodec.encode(envelope), null, 2)}\n`;
  return { envelope, statement, text, digest: digestOfBytes(text) };
}

/** The bytes to be signed over. Throws DurableFileError DOCUMENT_INVALID for a statement that could not be read again. */
export function encodeStatement(statement: SealStatement): Buffer {
  return Buffer.from(JSON.stringify(validStatement(statement, 'a statement to be sealed')), 'utf8');
}

function decodeStatement(payload: Buffer, where: string): SealStatement {
  const value = parseJson(utf8Of(payload, where), where, '/payload');
  refuseNewerPredicate(value, where);
  return validStatement(value, where);
}

function validStatement(value: unknown, where: string): SealStatement {
  const parsed = SealStatementV1.safeParse(value);
  if (!parsed.success) throw invalid(where, documentIssuesOf(parsed.error.issues).map(inPayload), parsed.error);
  const issues = statementIssues(parsed.data);
  if (issues.length > 0) throw invalid(where, issues);
  return parsed.data;
}

const OUR_PREDICATE = /^(.*\/v)(\d+)$/;

function refuseNewerPredicate(value: unknown, where: string): void {
  const type = typeof value === 'object' && value !== null ? Reflect.get(value, 'predicateType') : undefined;
  if (typeof type !== 'string' || type === PREDICATE_TYPE) return;
  const [theirs, ours] = [OUR_PREDICATE.exec(type), OUR_PREDICATE.exec(PREDICATE_TYPE)];
  if (theirs?.[1] !== ours?.[1] || Number(theirs?.[2]) <= Number(ours?.[2])) return;
  throw new DurableFileError(
    'DOCUMENT_NEWER_VERSION',
    `this evidence seal states ${type}, and ${PREDICATE_TYPE} is known`,
    {
      path: where,
      hint: 'Use the newer version of this software that wrote it',
    },
  );
}

/** Base64 has spellings that decode to the same bytes; only one of them is taken, so that no byte of a seal can be changed unseen. */
function base64Issues({ payload, signatures }: SealEnvelope): readonly DocumentIssue[] {
  const texts = [
    ['/payload', payload] as const,
    ...signatures.map(({ sig }, at) => [`/signatures/${at}/sig`, sig] as const),
  ];
  return texts
    .filter(([, text]) => Buffer.from(text, 'base64').toString('base64') !== text)
    .map(([path]) => ({ path, message: 'is not the canonical base64 of its bytes' }));
}

function utf8Of(bytes: Buffer, where: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw invalid(where, [{ path: '/payload', message: 'is not UTF-8' }], error);
  }
}

function parseJson(text: string, where: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalid(where, [{ path, message: 'is not JSON' }], error);
  }
}

function inPayload({ path, message }: DocumentIssue): DocumentIssue {
  return { path: `/payload${path}`, message };
}

function invalid(where: string, issues: readonly DocumentIssue[], cause?: unknown): DurableFileError {
  return new DurableFileError('DOCUMENT_INVALID', 'this is no valid evidence seal', {
    path: where,
    issues,
    ...(cause === undefined ? {} : { cause }),
  });
}
