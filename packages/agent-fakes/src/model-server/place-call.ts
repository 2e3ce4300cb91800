import type { Json, OfferedTool } from './model-request.ts';
import { objectOf } from './model-request.ts';
import type { ScriptedCall } from './scenario.ts';

/** A tool call in the agent's own terms. */
export interface PlacedCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: Json;
  /** In place of arguments, for a tool that takes free text. */
  readonly freeText?: string;
}

/** What agents call their shell; seen on 2026-11-29 in codex, claude, gemini, opencode, pi, qwen, copilot and cline. */
const SHELLS = [
  'exec_command',
  'shell_command',
  'shell',
  'local_shell',
  'run_shell_command',
  'bash',
  'Bash',
  'run_commands',
  'execute_command',
];
const WRITERS = ['write_file', 'write', 'Write', 'create', 'write_to_file', 'editor'];
const COMMAND_FIELDS = ['command', 'cmd', 'commands'];
const PATH_FIELDS = ['file_path', 'filePath', 'path'];
const TEXT_FIELDS = ['content', 'contents', 'file_text', 'new_text'];

/** Puts a scripted call into the terms of the tools that are offered; undefined where none of them can do it. */
export function placeCall(call: ScriptedCall, tools: readonly OfferedTool[], id: string): PlacedCall | undefined {
  if (call.tool === 'named') return { id, name: call.name, arguments: call.arguments };
  if (call.tool === 'shell') return shellCall(call.command, tools, id);
  return writeCall(call, tools, id) ?? shellCall(writingCommand(call.path, call.text), tools, id);
}

function shellCall(command: string, tools: readonly OfferedTool[], id: string): PlacedCall | undefined {
  const tool = firstOf(SHELLS, tools);
  const field = tool && firstField(COMMAND_FIELDS, tool);
  if (tool === undefined || field === undefined) return undefined;
  const isList = propertiesOf(tool)[field]?.['type'] === 'array';
  const asList = field === 'commands' ? [command] : ['bash', '-lc', command];
  return { id, name: tool.name, arguments: { ...fillers(tool), [field]: isList ? asList : command } };
}

function writeCall(
  { path, text }: { readonly path: string; readonly text: string },
  tools: readonly OfferedTool[],
  id: string,
): PlacedCall | undefined {
  const patch = tools.find((tool) => tool.name === 'apply_patch' && tool.isFreeform);
  if (patch !== undefined) return { id, name: patch.name, arguments: {}, freeText: addingPatch(path, text) };
  const tool = firstOf(WRITERS, tools);
  const [pathField, textField] = tool ? [firstField(PATH_FIELDS, tool), firstField(TEXT_FIELDS, tool)] : [];
  if (tool === undefined || pathField === undefined || textField === undefined) return undefined;
  return { id, name: tool.name, arguments: { ...fillers(tool), [pathField]: path, [textField]: text } };
}

function addingPatch(path: string, text: string): string {
  const lines = text.replace(/\n$/, '').split('\n');
  return ['*** Begin Patch', `*** Add File: ${path}`, ...lines.map((line) => `+${line}`), '*** End Patch', ''].join(
    '\n',
  );
}

function writingCommand(path: string, text: string): string {
  return `mkdir -p ${quoted(path.replace(/\/[^/]*$/, '') || '/')} && printf %s ${quoted(text)} > ${quoted(path)}`;
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

function firstOf(names: readonly string[], tools: readonly OfferedTool[]): OfferedTool | undefined {
  const name = names.find((known) => tools.some((tool) => tool.name === known));
  return tools.find((tool) => tool.name === name);
}

function firstField(names: readonly string[], tool: OfferedTool): string | undefined {
  return names.find((name) => name in propertiesOf(tool));
}

function propertiesOf(tool: OfferedTool): Readonly<Record<string, Json>> {
  const properties = objectOf(tool.parameters['properties']);
  return Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, objectOf(value)]));
}

/** Something that fits for every argument that the tool demands: a description, a time limit, a switch. */
function fillers(tool: OfferedTool): Json {
  const required = tool.parameters['required'];
  if (!Array.isArray(required)) return {};
  const properties = propertiesOf(tool);
  return Object.fromEntries(required.map((name) => [String(name), fillerFor(properties[String(name)] ?? {})]));
}

function fillerFor(property: Json): unknown {
  const choices = property['enum'];
  if (Array.isArray(choices)) return choices[0];
  if (property['type'] === 'number' || property['type'] === 'integer') return 1;
  if (property['type'] === 'boolean') return false;
  return property['type'] === 'array' ? [] : 'scripted';
}
