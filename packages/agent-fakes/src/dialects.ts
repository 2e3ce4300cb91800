/** The agent CLIs whose output format the program speaks, one stream dialect each. */
export const Dialect = { claude: 'claude', codex: 'codex', gemini: 'gemini', pi: 'pi', qwen: 'qwen' } as const;

export type Dialect = (typeof Dialect)[keyof typeof Dialect];
