import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { appendErrorRow, type ErrorRow, LOG_TAIL_BYTES, logSizeOf, readErrorRows } from '../src/index.ts';
import { errorOf } from './support/errors.ts';
import { accepted } from './support/fixtures.ts';
import { tempFolder } from './support/temp-folder.ts';

const row = accepted('error-row', 'failure') as ErrorRow;

describe('the error log', () => {
  it('EV-2 keeps the failure with its message, the end of its log and its identity', async () => {
    const log = join(tempFolder(), 'error-log.jsonl');
    await appendErrorRow(log, row);
    expect(await readErrorRows(log)).toEqual([row]);
    expect(readFileSync(log, 'utf8').split('\n')[0]).toBe('{"schemaVersion":"1.0"}');
    expect(LOG_TAIL_BYTES).toBe(800);
  });

  it('is read from where it ended when an attempt was claimed; torn and foreign lines are passed over', async () => {
    const log = join(tempFolder(), 'error-log.jsonl');
    await appendErrorRow(log, row);
    const offset = await logSizeOf(log);
    appendFileSync(log, '\n{"at":"2026-11');
    appendFileSync(log, '\n{"foreign":true}\n');
    await appendErrorRow(log, { ...row, attempt: 2 });
    expect(await readErrorRows(log, offset)).toEqual([{ ...row, attempt: 2 }]);
    expect(await readErrorRows(log)).toHaveLength(2);
  });

  it('ID-6 takes no row that carries a worker id beside its refs', async () => {
    const log = join(tempFolder(), 'error-log.jsonl');
    const mixed = { ...row, workerId: 'implementer' };
    const { issues } = await errorOf('LOG_ROW_INVALID', () => appendErrorRow(log, mixed));
    expect(issues?.map(({ path }) => path)).toEqual(['/workerId']);
  });

  it('keeps any bytes that an agent printed', async () => {
    const log = join(tempFolder(), 'error-log.jsonl');
    const odd = { ...row, logTail: '\u0000\u001b[0m\n\ufffd\ud800' };
    await appendErrorRow(log, odd);
    expect(await readErrorRows(log)).toEqual([odd]);
  });
});
