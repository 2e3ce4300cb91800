/** What each format's client sends: a prompt, the tools, and how many tool results it holds. */
export interface Asking {
  readonly path: string;
  readonly body: object;
}

export interface AskOptions {
  readonly isStreamed?: boolean;
  readonly prompt?: string;
  readonly toolResults?: number;
}

const SCHEMA = {
  type: 'object',
  properties: { command: { type: 'string' }, description: { type: 'string' }, timeout: { type: 'number' } },
  required: ['command', 'description'],
};

const times = <T>(count: number, value: T): readonly T[] => Array.from({ length: count }, () => value);

/** One asking per format, all with the same shell tool. */
export const FORMATS = {
  'openai-responses': ({ isStreamed = true, prompt = 'go', toolResults = 0 }: AskOptions): Asking => ({
    path: '/v1/responses',
    body: {
      model: 'asked',
      stream: isStreamed,
      input: [{ role: 'user', content: prompt }, ...times(toolResults, { type: 'function_call_output', output: '' })],
      tools: [{ type: 'function', name: 'shell', parameters: SCHEMA }, { type: 'web_search' }],
    },
  }),
  'openai-chat': ({ isStreamed = true, prompt = 'go', toolResults = 0 }: AskOptions): Asking => ({
    path: '/v1/chat/completions',
    body: {
      model: 'asked',
      stream: isStreamed,
      messages: [{ role: 'user', content: prompt }, ...times(toolResults, { role: 'tool', content: '' })],
      tools: [{ type: 'function', function: { name: 'bash', parameters: SCHEMA } }],
    },
  }),
  'anthropic-messages': ({ isStreamed = true, prompt = 'go', toolResults = 0 }: AskOptions): Asking => ({
    path: '/v1/messages',
    body: {
      model: 'asked',
      stream: isStreamed,
      messages: [
        { role: 'user', content: prompt },
        ...times(toolResults, { role: 'user', content: [{ type: 'tool_result', content: '' }] }),
      ],
      tools: [{ name: 'Bash', input_schema: SCHEMA }],
    },
  }),
  'google-generate-content': ({ isStreamed = true, prompt = 'go', toolResults = 0 }: AskOptions): Asking => ({
    path: `/v1beta/models/asked:${isStreamed ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    body: {
      contents: [
        { role: 'user', parts: [{ text: prompt }] },
        ...times(toolResults, { role: 'user', parts: [{ functionResponse: {} }] }),
      ],
      tools: [{ functionDeclarations: [{ name: 'run_shell_command', parametersJsonSchema: SCHEMA }] }],
    },
  }),
} as const;

export type Format = keyof typeof FORMATS;
export const ALL_FORMATS = Object.keys(FORMATS) as readonly Format[]; // the keys of the table above

/** Sends it as an agent would, with a key. */
export function ask(url: string, { path, body }: Asking, signal?: AbortSignal): Promise<Response> {
  return fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer sk-not-to-be-recorded' },
    body: JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  });
}
