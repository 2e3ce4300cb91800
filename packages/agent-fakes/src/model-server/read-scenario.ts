import { readFile } from 'node:fs/promises';
import type { ModelScenario } from './scenario.ts';
import { ModelScenarioV1 } from './scenario-v1.ts';

/** Reads a scenario file; throws with a reason for a person, which names the file and what is wrong in it. */
export async function readScenario(path: string): Promise<ModelScenario> {
  return parseScenario(parseJson(await readFile(path, 'utf8'), path), path);
}

/** The scenario that a value holds; `where` names it in the error. */
export function parseScenario(value: unknown, where: string): ModelScenario {
  const parsed = ModelScenarioV1.safeParse(value);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'it'}: ${issue.message}`);
  throw new Error(`${where} is no scenario of version 1.0: ${issues.join('; ')}`, { cause: parsed.error });
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error(`${path} is no JSON`, { cause });
  }
}
