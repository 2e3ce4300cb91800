/** A tool that the agent offers the model. */
export interface OfferedTool {
  readonly name: string;
  /** JSON Schema of its arguments; empty where it takes free text. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** It takes free text in place of arguments. */
  readonly isFreeform: boolean;
}

/** What an agent asks its model, whatever the format. */
export interface ModelRequest {
  readonly model: string;
  readonly isStreamed: boolean;
  readonly tools: readonly OfferedTool[];
  /** How many tool results the conversation holds. */
  readonly toolResults: number;
}

export type Json = Readonly<Record<string, unknown>>;

/** The value as an object, or an empty one. */
export function objectOf(value: unknown): Json {
  // Checked to be an object right here.
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

/** The objects of an array; none where it isn't one. */
export function objectsOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.map(objectOf) : [];
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Every string in a value, however deep: what the conversation says. */
export function stringsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(stringsIn);
}
