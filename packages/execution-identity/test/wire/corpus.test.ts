import { describe, expect, it } from 'vitest';
import {
  IdentityError,
  metadataCodec,
  type PromptMetadata,
  type Reservation,
  reservationCodec,
} from '../../src/index.ts';
import { thrownBy } from '../expect-code.ts';
import { type Fixture, fixturesOf } from '../fixtures.ts';

interface Format {
  readonly format: 'v1' | 'v2' | 'reservation-v2';
  readonly rule: string;
  readonly decode: (value: unknown, where: string) => PromptMetadata | Reservation;
  readonly reencode: (value: unknown) => unknown;
}

const metadataFormat: Pick<Format, 'decode' | 'reencode'> = {
  decode: (value, where) => metadataCodec.decode(value, where),
  reencode: (value) => metadataCodec.encode(metadataCodec.decode(value, 'x')),
};
const reservationFormat: Pick<Format, 'decode' | 'reencode'> = {
  decode: (value, where) => reservationCodec.decode(value, where),
  reencode: (value) => reservationCodec.encode(reservationCodec.decode(value, 'x')),
};
const formats: readonly Format[] = [
  { format: 'v1', rule: 'ID-1', ...metadataFormat },
  { format: 'v2', rule: 'ID-1 ID-2', ...metadataFormat },
  { format: 'reservation-v2', rule: 'TR-2', ...reservationFormat },
];

describe.each(formats)('the corpus of $format', ({ format, rule, decode, reencode }) => {
  it.each(fixturesOf(format, 'accept'))(`${rule} accepts $description ($name)`, ({ document }) => {
    const decoded = decode(document, 'file.json');
    if ('generation' in decoded) expect(decoded.generation).toBe(format);
    expect(reencode(document)).toEqual(document);
  });

  it.each(fixturesOf(format, 'reject'))(`${rule} refuses $description ($name)`, (fixture) => {
    const error = thrownBy(() => decode(fixture.document, 'file.json'));
    expect(error).toBeInstanceOf(IdentityError);
    expectReason(error as IdentityError, fixture);
  });
});

describe('the corpus', () => {
  it('ID-1 holds at least 20 accepted and 40 rejected documents of metadata', () => {
    const count = (kind: 'accept' | 'reject') => fixturesOf('v1', kind).length + fixturesOf('v2', kind).length;
    expect(count('accept')).toBeGreaterThanOrEqual(20);
    expect(count('reject')).toBeGreaterThanOrEqual(40);
  });
});

describe('the message about a document', () => {
  it('spells out the first findings, on one line, and counts the rest', () => {
    const document = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`key\n${at}`, at]));
    const error = thrownBy(() => metadataCodec.decode({ schemaVersion: 1, ...document }, 'file.json')) as IdentityError;
    expect(error.issues?.length).toBeGreaterThan(5000);
    expect(error.message).toMatch(/^file\.json: .*; \d+ more$/);
    expect(error.message.length).toBeLessThan(1000);
  });
});

function expectReason(error: IdentityError, { expect: reason }: Fixture): void {
  if (reason === undefined) throw new Error('a rejected fixture names its reason');
  expect({ code: error.code, at: error.issues?.map((issue) => `${issue.code} ${issue.path}`) }).toEqual({
    code: reason.code,
    at: expect.arrayContaining([`${reason.code} ${reason.path}`]),
  });
  expect(error.path).toBe('file.json');
  expect(error.message).toContain(`file.json: `);
  expect(error.message).toContain(error.issues?.[0]?.path || 'the document');
}
