import { readWords } from './tokenize.ts';
import { inTab, listed, setStatus, sidebarVerbs, statusLines, tabOf, type Verb } from './verbs.ts';

/** What shells and agents report about their workspace; the app shows it in the sidebar. */
export const reportVerbs: Readonly<Record<string, Verb>> = {
  report_meta: (app, tokens) => setStatus(app, readWords(tokens, { stopsAtSeparator: false })),
  clear_meta: (app, tokens) => sidebarVerbs['clear_status']?.(app, tokens) ?? 'OK',
  list_meta: inTab((workspace) => listed(statusLines(workspace), 'No metadata entries')),
  report_meta_block: inTab((workspace, { words: [key, ...text] }) => {
    if (key === undefined || text.length === 0) return 'ERROR: Missing metadata block key or text';
    workspace.sidebar.blocks.set(key, text.join(' '));
    return 'OK';
  }),
  clear_meta_block: inTab((workspace, { words: [key = ''] }) =>
    workspace.sidebar.blocks.delete(key) ? 'OK' : 'OK (key not found)',
  ),
  list_meta_blocks: inTab(({ sidebar }) =>
    listed(
      [...sidebar.blocks].map(([key, text]) => `${key}=${text}`),
      'No metadata blocks',
    ),
  ),
  report_git_branch: report('git_branch', ([branch], { status }) =>
    branch === undefined ? undefined : `${branch} ${status === 'dirty' ? 'dirty' : 'clean'}`,
  ),
  clear_git_branch: forget('git_branch'),
  report_pr: report('pr', ([number, url], { state }) =>
    url === undefined ? undefined : `#${number} ${state ?? 'open'} ${url}`,
  ),
  report_review: report('pr', ([number, url], { state }) =>
    url === undefined ? undefined : `#${number} ${state ?? 'open'} ${url}`,
  ),
  clear_pr: forget('pr'),
  report_ports: report('ports', (ports) => (ports.length === 0 ? undefined : ports.join(','))),
  clear_ports: forget('ports'),
  report_pwd: taken(1),
  report_tty: taken(1),
  report_shell_state: taken(1),
  ports_kick: taken(0),
  set_agent_pid: taken(2),
  clear_agent_pid: taken(1),
  set_agent_lifecycle: taken(2),
  workspace_loading: taken(1),
};

function report(
  name: string,
  textOf: (words: readonly string[], options: Readonly<Record<string, string>>) => string | undefined,
): Verb {
  return inTab((workspace, { words, options }) => {
    const text = textOf(words, options);
    if (text === undefined) return `ERROR: Missing ${name}`;
    workspace.sidebar.reports.set(name, text);
    return 'OK';
  });
}

function forget(name: string): Verb {
  return inTab((workspace) => {
    workspace.sidebar.reports.delete(name);
    return 'OK';
  });
}

/** Said ok to where it has so many words; nothing shows it. */
function taken(least: number): Verb {
  return (app, tokens) => {
    const { words, options } = readWords(tokens, { stopsAtSeparator: true });
    if (words.length < least) return 'ERROR: Usage: it wants more words';
    return tabOf(app, options) === undefined ? 'ERROR: Tab not found' : 'OK';
  };
}
