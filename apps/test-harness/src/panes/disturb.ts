import type { FakeCmux } from '@bailiwick/agent-fakes';

/** What a person and the app do to a command under way; it decides nothing of a worker's end but where it is shown. */
type Disturbance = (fake: FakeCmux, random: () => number) => Promise<void> | void;

/** Each by its share of a hundred. */
const DISTURBANCES: readonly (readonly [number, string, Disturbance])[] = [
  [20, 'types', (fake, random) => withSurface(fake, random, (id) => fake.person.type(id, 'ls -l'))],
  [15, 'looks', (fake, random) => withSurface(fake, random, (id) => fake.person.look(id))],
  [15, 'splits', (fake, random) => withSurface(fake, random, (id) => void fake.person.split(id))],
  [10, 'opens a tab', (fake, random) => withSurface(fake, random, (id) => void fake.person.openTab(id))],
  [10, 'moves', (fake, random) => withSurface(fake, random, (id) => fake.person.move(id))],
  [10, 'renames', (fake, random) => withSurface(fake, random, (id) => fake.person.rename(id, 'mine'))],
  [15, 'closes', (fake, random) => withSurface(fake, random, (id) => fake.person.close(id))],
  [5, 'relaunches', (fake, random) => fake.relaunch(Math.round(random() * 200))],
];

const LONGEST_PAUSE_MS = 1_500;

/** Disturbs until it is told to stop; resolves to what was done how often. */
export function disturb(
  fake: FakeCmux,
  random: () => number,
): { readonly stop: () => Promise<Readonly<Record<string, number>>> } {
  const done: Record<string, number> = {};
  let isOver = false;
  const work = (async () => {
    while (!isOver) {
      await new Promise((resolve) => setTimeout(resolve, random() * LONGEST_PAUSE_MS));
      const [, name, act] = chosen(random() * 100);
      await act(fake, random);
      done[name] = (done[name] ?? 0) + 1;
    }
  })();
  return {
    stop: async () => {
      isOver = true;
      await work;
      return done;
    },
  };
}

function chosen(percent: number): (typeof DISTURBANCES)[number] {
  let left = percent;
  for (const row of DISTURBANCES) {
    left -= row[0];
    if (left < 0) return row;
  }
  return DISTURBANCES[0] ?? [100, 'nothing', () => undefined];
}

/** Any surface but the one that the lead stands in: a person doesn't close the terminal in which they wait. */
function withSurface(fake: FakeCmux, random: () => number, act: (id: string) => void): void {
  const lead = fake.app.places()[0]?.surface.id;
  const ids = fake.app
    .places()
    .map(({ surface }) => surface.id)
    .filter((id) => id !== lead);
  const id = ids[Math.floor(random() * ids.length)];
  if (id === undefined) return;
  try {
    act(id);
  } catch {
    // the last surface of a workspace isn't closed, or another act was quicker
  }
}
