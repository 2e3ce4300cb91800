import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  buildDispatchId,
  type DispatchId,
  parseParticipantRef,
  parseRoleExecutionRef,
  type ReservationFile,
  readReservations,
  selectReservation,
} from '../../src/index.ts';
import { refusal, rejection } from '../expect-code.ts';
import { fixturesOf } from '../fixtures.ts';
import { reservation, reservationDocument } from '../samples.ts';
import { tempFolder } from '../temp-folder.ts';

const wanted = {
  participantRef: parseParticipantRef('p-gemini'),
  roleExecutionRef: parseRoleExecutionRef('re-translator-1'),
  isDispatched: () => false,
};
const file = (path: string, changed: object = {}): ReservationFile => ({
  path,
  value: { ...reservationDocument, ...changed },
});
const fileNames = (files: readonly ReservationFile[]) => files.map((it) => it.path);

describe('the reservation that a translator consumes', () => {
  it('TR-2 is the one that qualifies, with the dispatch id that consumes it', () => {
    const selected = selectReservation([file('a.json')], wanted);
    expect(selected).toEqual({ path: 'a.json', reservation: reservation(), dispatchId: 'inv-tr~1:attempt-1' });
  });

  it('TR-2 files that do not qualify are passed over', () => {
    const others = [
      file('participant.json', { participantRef: 'p-claude' }),
      file('role.json', { roleExecutionRef: 're-translator-2' }),
      ...fixturesOf('reservation-v2', 'reject').map((it) => ({ path: it.name, value: it.document })),
      ...[null, [], 'text', 3].map((value, at) => ({ path: `${at}.json`, value })),
    ];
    expect(selectReservation([...others, file('mine.json')], wanted).path).toBe('mine.json');
    const { message } = refusal('RESERVATION_NONE', () => selectReservation(others, wanted));
    for (const path of fileNames(others)) expect(message).toContain(path);
    const unread = refusal('RESERVATION_NONE', () => selectReservation([{ path: 'a.json', value: 'text' }], wanted));
    expect(unread.message).toContain('object');
  });

  it('TR-2 one whose dispatch id has been dispatched is passed over', () => {
    const second = file('b.json', { attempt: 2, invocationId: 'inv-tr~2' });
    const done = buildDispatchId(reservation().invocationId, 1);
    const isDispatched = (id: DispatchId) => id === done;
    expect(selectReservation([file('a.json'), second], { ...wanted, isDispatched }).path).toBe('b.json');
    const { message } = refusal('RESERVATION_NONE', () =>
      selectReservation([file('a.json')], { ...wanted, isDispatched }),
    );
    expect(message).toContain(done);
  });

  it('TR-2 none or several are refused, several by their names', () => {
    refusal('RESERVATION_NONE', () => selectReservation([], wanted));
    const two = [file('a.json'), file('b.json', { invocationId: 'inv-other' })];
    const { message } = refusal('RESERVATION_SEVERAL', () => selectReservation(two, wanted));
    expect(message).toContain('a.json, b.json');
  });

  it('TR-2 the same reservation in two files is several', () => {
    refusal('RESERVATION_SEVERAL', () => selectReservation([file('a.json'), file('copy.json')], wanted));
  });
});

describe('the reservation root', () => {
  it('TR-2 gives its JSON files in the order of their names, and nothing else', async () => {
    const root = await tempFolder();
    for (const name of ['b.json', 'a.json']) await writeFile(join(root, name), JSON.stringify(reservationDocument));
    await writeFile(join(root, 'notes.txt'), 'not JSON');
    const files = await readReservations(root);
    expect(fileNames(files)).toEqual([join(root, 'a.json'), join(root, 'b.json')]);
    expect(files[0]?.value).toEqual(reservationDocument);
  });

  it('TR-2 that is missing has none', async () => {
    expect(await readReservations(join(await tempFolder(), 'no'))).toEqual([]);
  });

  it('TR-2 an unreadable file stops the dispatch by its name', async () => {
    const makers: readonly ((path: string) => Promise<unknown>)[] = [
      (path) => writeFile(path, '{"half":'),
      (path) => writeFile(path, ''),
      (path) => writeFile(path, Buffer.from([0xff, 0xfe])),
      (path) => mkdir(path),
      (path) => symlink('/dev/null', path),
      (path) => writeFile(path, ' '.repeat(1024 * 1024 + 1)),
    ];
    for (const make of makers) {
      const root = await tempFolder();
      await writeFile(join(root, 'good.json'), JSON.stringify(reservationDocument));
      await make(join(root, 'bad.json'));
      const error = await rejection('RESERVATION_UNREADABLE', readReservations(root));
      expect(error.path).toBe(join(root, 'bad.json'));
      expect(error.cause).toBeInstanceOf(Error);
    }
  });

  it('TR-2 that is a file is refused by its name', async () => {
    const root = join(await tempFolder(), 'root');
    await writeFile(root, '');
    expect((await rejection('RESERVATION_UNREADABLE', readReservations(root))).path).toBe(root);
  });
});
