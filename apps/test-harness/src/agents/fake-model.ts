import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fakeModelCommand, type ModelScenario } from '@bailiwick/agent-fakes';
import { execa } from 'execa';

/** A fake model that listens, as a process of its own. */
export interface FakeModel {
  readonly url: string;
  /** The requests so far, in the order in which they came. */
  requests(): Promise<readonly RecordedRow[]>;
  end(): Promise<void>;
}

/** What is looked at of a recorded request. */
export interface RecordedRow {
  readonly answer: string;
  readonly model: string | null;
  readonly toolResults: number | null;
  readonly headers: Readonly<Record<string, unknown>>;
  /** What the agent sent; a key that the headers held stands as `[key]` wherever it is repeated. */
  readonly body: unknown;
}

/** Starts the fake model with its files in a folder, and waits until it listens. */
export async function startFakeModel(scenario: ModelScenario, folder: string): Promise<FakeModel> {
  const [scenarioPath, recordPath] = [join(folder, 'scenario.json'), join(folder, 'requests.jsonl')];
  await writeFile(scenarioPath, JSON.stringify(scenario));
  await writeFile(recordPath, '');
  const [program = '', ...args] = fakeModelCommand({ scenario: scenarioPath, record: recordPath, whileStdin: true });
  const child = execa(program, args, { stdin: 'pipe', stderr: 'inherit', buffer: false, reject: false });
  const [line] = await once(createInterface(child.stdout), 'line');
  // the program's own ready line
  const { url } = JSON.parse(String(line)) as { readonly url: string };
  return {
    url,
    requests: async () => rowsOf(await readFile(recordPath, 'utf8')),
    end: async () => {
      child.stdin.end();
      await child;
    },
  };
}

function rowsOf(text: string): readonly RecordedRow[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as RecordedRow); // the fake model's own rows
}
