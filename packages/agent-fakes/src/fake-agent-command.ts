import { fileURLToPath } from 'node:url';
import type { FakeAgentRequest } from './fake-agent-request.ts';
import { OWN_FLAGS } from './own-flags.ts';

let chosenProgram: string | undefined;

/** Names the scripted agent's program, for a program that bundles it and puts it elsewhere. Undefined: beside this file. */
export function setFakeAgentProgram(program: string | undefined): void {
  chosenProgram = program;
}

/**
 * The argv prefix that starts the scripted agent: this Node, the program's absolute path, and the flags of `request`.
 * What is appended is taken for the flags of the CLI that it stands for. Works from the sources and from the build.
 */
export function fakeAgentCommand(request: FakeAgentRequest): string[] {
  const flags = OWN_FLAGS.flatMap(({ key, flag }) => {
    const value = request[key];
    return value === undefined ? [] : [flag, String(value)];
  });
  return [process.execPath, chosenProgram ?? ownProgram(), ...flags];
}

function ownProgram(): string {
  const name = import.meta.url.endsWith('.ts') ? './fake-agent.ts' : './fake-agent.js';
  return fileURLToPath(new URL(name, import.meta.url));
}
