import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bothEnded, mapSeveral } from '../src/several-at-once.ts';

/** Work that ends when it is told to, and counts itself. */
function countedWork() {
  const begun: { readonly item: number; readonly end: PromiseWithResolvers<number> }[] = [];
  const work = (item: number): Promise<number> => {
    const end = Promise.withResolvers<number>();
    begun.push({ item, end });
    return end.promise;
  };
  return { begun, work };
}

async function turnOfEvents(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

describe('work on several items at once', () => {
  it('gives the results in the order of the items, whatever ends first', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: 5 }), { maxLength: 60 }), async (delays) => {
        const seen = await mapSeveral([...delays.entries()], async ([at, delay]) => {
          for (let left = delay; left > 0; left -= 1) await turnOfEvents();
          return at;
        });
        expect(seen).toEqual([...delays.keys()]);
      }),
      { numRuns: 30 },
    );
  });

  it('begins no more than a few, however many wait', async () => {
    const { begun, work } = countedWork();
    const done = mapSeveral([...Array(1_000).keys()], work);
    await turnOfEvents();
    expect(begun).toHaveLength(16);
    let ended = 0;
    while (ended < 1_000) {
      expect(begun.length - ended).toBeLessThanOrEqual(16);
      begun[ended]?.end.resolve(ended);
      ended += 1;
      await turnOfEvents();
    }
    expect(await done).toHaveLength(1_000);
  });

  it('after a failure begins none, and throws it when what was under way has ended', async () => {
    const { begun, work } = countedWork();
    let thrown: unknown;
    const done = mapSeveral([...Array(40).keys()], work).catch((error: unknown) => {
      thrown = error;
    });
    await turnOfEvents();
    begun[3]?.end.reject(new Error('no space left'));
    await turnOfEvents();
    expect(thrown).toBeUndefined();
    for (const { end, item } of begun) end.resolve(item);
    await done;
    expect(thrown).toMatchObject({ message: 'no space left' });
    expect(begun).toHaveLength(16);
  });
});

describe('two works at once', () => {
  it('give both results', async () => {
    expect(await bothEnded(Promise.resolve(1), Promise.resolve('two'))).toEqual([1, 'two']);
  });

  it('fail with what either failed with, and not before the other has ended', async () => {
    const { begun, work } = countedWork();
    let isOver = false;
    const done = bothEnded(Promise.reject(new Error('one')), work(2)).finally(() => {
      isOver = true;
    });
    const failed = expect(done).rejects.toThrow('one');
    await turnOfEvents();
    expect(isOver).toBe(false);
    begun[0]?.end.resolve(2);
    await failed;
    await expect(bothEnded(Promise.resolve(1), Promise.reject(new Error('other')))).rejects.toThrow('other');
  });
});
