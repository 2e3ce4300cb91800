import { describe, expect, it } from 'vitest';
import { checkReservation } from '../../src/index.ts';
import { refusal } from '../expect-code.ts';
import { metadataV1, reservation, translatorMetadata } from '../samples.ts';

describe('a reservation and the metadata of its prompt', () => {
  it('TR-3 that agree pass', () => {
    expect(checkReservation(reservation(), translatorMetadata())).toBeUndefined();
  });

  it('TR-3 that differ in any shared field are refused by the field', () => {
    const differing = {
      invocationId: 'inv-x',
      assignmentRef: 'executor',
      audience: 'report-writer',
      dispatchKind: 'report',
      invocationRef: 'inv-x',
      participantRef: 'p-claude',
      roleExecutionRef: 're-x',
      dutyId: 'report',
      attempt: 2,
    };
    for (const [field, value] of Object.entries(differing)) {
      const error = refusal('RESERVATION_DISAGREES', () =>
        checkReservation(reservation({ [field]: value }), translatorMetadata()),
      );
      expect(error.field).toBe(field);
      refusal('RESERVATION_DISAGREES', () => checkReservation(reservation(), translatorMetadata({ [field]: value })));
    }
  });

  it('TR-3 metadata of v1 is refused', () => {
    refusal('RESERVATION_METADATA_V1', () => checkReservation(reservation(), metadataV1()));
  });

  it('TR-3 metadata that doesn’t lie beside the prompt is refused', () => {
    for (const metadataPath of [
      'translate.md.meta.json',
      'prompts/other.md.meta.json',
      'prompts/translate.meta.json',
      '/prompts/translate.md.meta.json',
    ]) {
      const error = refusal('RESERVATION_NOT_BESIDE_PROMPT', () =>
        checkReservation(reservation({ metadataPath }), translatorMetadata()),
      );
      expect(error.path).toBe(metadataPath);
    }
    const spelt = reservation({ metadataPath: './prompts/x/../translate.md.meta.json' });
    expect(checkReservation(spelt, translatorMetadata())).toBeUndefined();
  });

  it('TR-3 audience, assignment, duty and kind are the translator’s, even where both sides agree on another', () => {
    const foreign = { audience: 'report-writer', assignmentRef: 'report', dutyId: 'report', dispatchKind: 'report' };
    for (const [field, value] of Object.entries(foreign)) {
      const changed = { [field]: value };
      const check = () => checkReservation(reservation(changed), translatorMetadata(changed));
      expect(refusal('RESERVATION_NOT_TRANSLATOR', check).field).toBe(field);
    }
  });
});
