const NAMED: Readonly<Record<string, string>> = {
  enter: '\r',
  return: '\r',
  tab: '\t',
  backtab: '\u001b[Z',
  escape: '\u001b',
  esc: '\u001b',
  backspace: '\u007f',
  delete: '\u001b[3~',
  del: '\u001b[3~',
  space: ' ',
  up: '\u001b[A',
  down: '\u001b[B',
  right: '\u001b[C',
  left: '\u001b[D',
  arrow_up: '\u001b[A',
  arrow_down: '\u001b[B',
  arrow_right: '\u001b[C',
  arrow_left: '\u001b[D',
  home: '\u001b[H',
  end: '\u001b[F',
  pageup: '\u001b[5~',
  page_up: '\u001b[5~',
  pagedown: '\u001b[6~',
  page_down: '\u001b[6~',
  sigint: '\u0003',
  eof: '\u0004',
  sigtstp: '\u001a',
  sigquit: '\u001c',
  'ctrl-\\': '\u001c',
};
const MODIFIERS: ReadonlySet<string> = new Set('ctrl control shift alt opt option cmd command super'.split(' '));

/** What a key sends; undefined for one that the app doesn't know: digits, function keys and tmux's notation among them. */
export function bytesOfKey(key: string): string | undefined {
  const name = key.toLowerCase();
  const named = NAMED[name];
  if (named !== undefined) return named;
  if (/^[a-z]$/.test(name)) return name;
  const [modifier = '', rest = ''] = split(name);
  if (!MODIFIERS.has(modifier)) return undefined;
  const plain = bytesOfKey(rest);
  if (plain === undefined || (rest.length === 1 && key.startsWith('C-'))) return undefined;
  return modified(modifier, plain);
}

function split(name: string): readonly string[] {
  const [, modifier = '', rest = ''] = /^([a-z]+)[-+](.+)$/.exec(name) ?? [];
  return [modifier, rest];
}

function modified(modifier: string, plain: string): string {
  if (modifier === 'shift') return plain === '\t' ? '\u001b[Z' : plain.toUpperCase();
  if (modifier.startsWith('c') && modifier !== 'cmd' && modifier !== 'command')
    return /^[a-z]$/.test(plain) ? String.fromCharCode(plain.charCodeAt(0) - 96) : plain;
  return `\u001b${plain}`;
}
