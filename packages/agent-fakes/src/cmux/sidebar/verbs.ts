import type { CmuxApp } from '../app.ts';
import { emptySidebar, focusedSurfaceOf, type SidebarEntry, type Workspace } from '../model.ts';
import { readWords, type Token, type Words } from './tokenize.ts';

export type Verb = (app: CmuxApp, tokens: readonly Token[]) => string;

export const NO_TAB = 'ERROR: Tab not found';
const LEVELS = ['info', 'progress', 'success', 'warning', 'error'];
const MAX_PRIORITY = 9_999;

/** The verbs of the sidebar, each with its one reply. */
export const sidebarVerbs: Readonly<Record<string, Verb>> = {
  set_status: (app, tokens) => setStatus(app, readWords(tokens, { stopsAtSeparator: false })),
  clear_status: (app, tokens) => {
    const { options, words } = readWords(tokens, { stopsAtSeparator: false });
    tabOf(app, options)?.sidebar.status.delete(words[0] ?? '');
    return 'OK';
  },
  list_status: inTab((workspace) => listed(statusLines(workspace), 'No status entries')),
  set_progress: (app, tokens) => setProgress(app, readWords(tokens, { stopsAtSeparator: true })),
  clear_progress: inTab((workspace) => {
    workspace.sidebar.progress = null;
    return 'OK';
  }),
  log: (app, tokens) => log(app, readWords(tokens, { stopsAtSeparator: true })),
  list_log: inTab((workspace, { options }) => {
    const rows = workspace.sidebar.log.slice(-Number(options['limit'] ?? 100));
    return listed(
      rows.map(({ source, level, message }) => `${source === '' ? '' : `[${source}] `}[${level}] ${message}`),
      'No log entries',
    );
  }),
  clear_log: inTab((workspace) => {
    workspace.sidebar.log = [];
    return 'OK';
  }),
  sidebar_state: inTab(stateOf),
  reset_sidebar: inTab((workspace) => {
    workspace.sidebar = emptySidebar();
    return 'OK';
  }),
};

export function inTab(act: (workspace: Workspace, words: Words) => string): Verb {
  return (app, tokens) => {
    const words = readWords(tokens, { stopsAtSeparator: true });
    const workspace = tabOf(app, words.options);
    return workspace === undefined ? NO_TAB : act(workspace, words);
  };
}

/** `--tab` is a UUID or an index, never a ref; without it the selected workspace. */
export function tabOf(app: CmuxApp, options: Words['options']): Workspace | undefined {
  const handle = options['tab'];
  const { workspaces, selected } = app.active;
  if (handle === undefined) return selected;
  if (/^\d+$/.test(handle)) return workspaces[Number(handle)];
  return app.windows.flatMap((window) => window.workspaces).find(({ id }) => id === handle.toUpperCase());
}

/** Says ok whatever comes of it: the app only queues it. */
export function setStatus(app: CmuxApp, { options, words: [key, ...value] }: Words): string {
  if (key === undefined || value.length === 0)
    return 'ERROR: Missing status key or value — usage: set_status <key> <value>';
  const workspace = tabOf(app, options);
  const { tab: _, ...kept } = options;
  workspace?.sidebar.status.set(key, { value: value.join(' '), options: clamped(kept) });
  return 'OK';
}

function clamped(options: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const { priority } = options;
  if (priority === undefined) return options;
  const within = Math.max(-MAX_PRIORITY, Math.min(MAX_PRIORITY, Number(priority) || 0));
  return { ...options, priority: String(within) };
}

function setProgress(app: CmuxApp, { options, words: [text] }: Words): string {
  if (text === undefined) return 'ERROR: Missing progress value — usage: set_progress <0..1> [--label=X]';
  const value = Number(text);
  if (!Number.isFinite(value)) return `ERROR: Invalid progress value '${text}' — must be 0.0 to 1.0`;
  const workspace = tabOf(app, options);
  if (workspace === undefined) return NO_TAB;
  workspace.sidebar.progress = { value: Math.max(0, Math.min(1, value)), label: options['label'] ?? '' };
  return 'OK';
}

function log(app: CmuxApp, { options, words }: Words): string {
  const level = options['level'] ?? 'info';
  if (words.length === 0) return 'ERROR: Missing message — usage: log [--level=X] [--source=X] -- <message>';
  if (!LEVELS.includes(level)) return `ERROR: Unknown log level '${level}' — use: ${LEVELS.join(', ')}`;
  const workspace = tabOf(app, options);
  if (workspace === undefined) return NO_TAB;
  workspace.sidebar.log.push({ level, source: options['source'] ?? '', message: words.join(' ') });
  return 'OK';
}

export function statusLines(workspace: Workspace): readonly string[] {
  return [...workspace.sidebar.status].map(([key, entry]) => statusLine(key, entry));
}

function statusLine(key: string, { value, options }: SidebarEntry): string {
  const fields = ['icon', 'color', 'url', 'priority', 'format'].flatMap((name) =>
    options[name] === undefined ? [] : [`${name}=${options[name]}`],
  );
  return [`${key}=${value}`, ...fields].join(' ');
}

function stateOf(workspace: Workspace): string {
  const { progress, log: rows, status, blocks, reports } = workspace.sidebar;
  return [
    `tab=${workspace.id}`,
    'color=none',
    `cwd=${workspace.directory}`,
    `focused_cwd=${workspace.directory}`,
    `focused_panel=${focusedSurfaceOf(workspace).id}`,
    ...['git_branch', 'pr', 'pr_label', 'ports'].map((name) => `${name}=${reports.get(name) ?? 'none'}`),
    `progress=${progress === null ? 'none' : `${progress.value.toFixed(2)} ${progress.label}`.trim()}`,
    `status_count=${status.size}`,
    ...statusLines(workspace).map((line) => `  ${line}`),
    `meta_block_count=${blocks.size}`,
    ...[...blocks].map(([key, text]) => `  ${key}=${text}`),
    `log_count=${rows.length}`,
    ...rows.map(({ level, message }) => `  [${level}] ${message}`),
  ].join('\n');
}

export function listed(lines: readonly string[], none: string): string {
  return lines.length === 0 ? none : lines.join('\n');
}
