import type { AgentObservation } from '../observation.ts';
import { anything, flag, list, object, text, textAt } from './fields.ts';
import { lineObservation, onOneLine } from './readable-text.ts';
import type { ToolLedger } from './track-tools.ts';

/** Messages made of blocks, in the shape of Anthropic's Messages API; Claude Code and Qwen Code print them. */
export const blockMessage = object({
  id: text,
  model: text,
  content: list({ type: text, text, id: text, name: text, input: anything, tool_use_id: text, is_error: flag }),
});

/** A message as it comes out of `blockMessage`. */
export interface BlockMessage {
  readonly content?: readonly (Block | undefined)[] | undefined;
}

interface Block {
  readonly type?: string | undefined;
  readonly text?: string | undefined;
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly input?: unknown;
  readonly tool_use_id?: string | undefined;
  readonly is_error?: boolean | undefined;
}

/** Text and tool calls of an assistant's message; `editTools` are the tools whose path argument is a file they write. */
export function assistantBlocks(
  message: BlockMessage | undefined,
  tools: ToolLedger,
  editTools: ReadonlySet<string>,
): readonly AgentObservation[] {
  return (message?.content ?? []).flatMap((block) => {
    if (block?.type === 'text') return lineObservation(block.text ?? '');
    return block?.type === 'tool_use' ? startedTool(block, tools, editTools) : [];
  });
}

/** Tool results of a user's message. */
export function resultBlocks(message: BlockMessage | undefined, tools: ToolLedger): readonly AgentObservation[] {
  return (message?.content ?? []).flatMap((block) =>
    block?.type === 'tool_result' ? tools.finished(block.tool_use_id ?? '', block.is_error !== true) : [],
  );
}

function startedTool(block: Block, tools: ToolLedger, editTools: ReadonlySet<string>): readonly AgentObservation[] {
  const name = block.name ?? 'unknown';
  const path = editTools.has(name) ? pathIn(block.input) : undefined;
  const early = tools.started(block.id ?? '', { name, edits: path === undefined ? [] : [path] });
  return [...early, ...toolLine(name, block.input)];
}

/** A line that shows what a tool is called with. */
export function toolLine(name: string, input: unknown): readonly AgentObservation[] {
  const shown =
    textAt(input, 'command', 'cmd') ?? pathIn(input) ?? textAt(input, 'pattern', 'query', 'url', 'description');
  return lineObservation(`${name} ${onOneLine(shown ?? '')}`);
}

/** The file that a tool's arguments name, under the names that are in use. */
export function pathIn(input: unknown): string | undefined {
  return textAt(input, 'file_path', 'filePath', 'path', 'notebook_path', 'absolute_path');
}

const PATCH_HEADER = /^\*\*\* (?:Add|Update|Delete) File: (.+)$|^\*\*\* Move to: (.+)$/gm;

/** The files that a patch in the `*** Begin Patch` form names. */
export function pathsInPatch(patch: string): readonly string[] {
  return [...patch.matchAll(PATCH_HEADER)].map((found) => (found[1] ?? found[2] ?? '').trim());
}
