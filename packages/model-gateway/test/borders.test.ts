import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openBefore } from './support/opened.ts';

const STREAM = Buffer.from(
  [
    ': a comment\r\n\r\n',
    'event: message_start\ndata: {"type":"message_start","message":{"model":"größer-4","usage":{"input_tokens":3}}}\n\n',
    'event: content_block_delta\ndata: {"delta":{"text":"é€😀"}}\n\n',
    'event: odd\ndata: {"model":\n\n',
    'event: message_delta\ndata: {"usage":{"output_tokens":7}}',
  ].join(''),
);

it('reads the same however the stream is cut', async () => {
  let cuts: readonly number[] = [];
  const { ask, attempt, over } = await openBefore(
    async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const ends = [...cuts, STREAM.length].toSorted((a, b) => a - b);
      let from = 0;
      for (const end of ends) {
        await new Promise<void>((resolve) => response.write(STREAM.subarray(from, end), () => resolve()));
        from = end;
      }
      response.end();
    },
    { format: 'anthropic-messages' },
  );
  let turns = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(STREAM.length), { maxLength: 12 }), async (where) => {
      cuts = where;
      const passed = Buffer.from(await (await ask('/v1/messages', {})).arrayBuffer());
      turns += 1;
      await over(turns);
      expect(passed).toEqual(STREAM);
      expect(attempt.turns().at(-1)).toMatchObject({
        servedModels: ['größer-4'],
        usage: { inputTokens: 3, outputTokens: 7, cachedInputTokens: 'unknown' },
        isComplete: true,
      });
    }),
    { numRuns: 40 },
  );
});
