/** Lines that a terminal keeps above what is shown. */
const MAX_CHARACTERS = 1_000_000;
const VIEWPORT_LINES = 40;

/** What a terminal has shown, as plain text: without styles, cursor movements and titles. */
export class Screen {
  #text = '';

  append(data: string): void {
    this.#text = (this.#text + data).slice(-MAX_CHARACTERS);
  }

  get isEmpty(): boolean {
    return this.#text === '';
  }

  clear(): void {
    this.#text = '';
  }

  /** The last `lines` lines; without a number what a window would show. */
  read(lines?: number): string {
    const plain = plainText(this.#text).split('\n');
    return plain.slice(-(lines ?? VIEWPORT_LINES)).join('\n');
  }
}

/** Made of texts, since what terminals send is written in control characters. */
const ESCAPE = '\u001b';
const BELL = '\u0007';
const OPERATING_SYSTEM_COMMAND = `${ESCAPE}\\][^${BELL}${ESCAPE}]*(?:${BELL}|${ESCAPE}\\\\)`;
const CONTROL_SEQUENCE = `${ESCAPE}(?:\\[[0-9;?]*[ -/]*[@-~]|[@-Z\\\\-_])`;
const TITLE = `${ESCAPE}\\][02];([^${BELL}${ESCAPE}]*)(?:${BELL}|${ESCAPE}\\\\)`;
const UNSEEN = new RegExp(`${OPERATING_SYSTEM_COMMAND}|${CONTROL_SEQUENCE}`, 'g');

/** The title that a program set last by OSC 0 or 2, if any. */
export function titleIn(data: string): string | undefined {
  return [...data.matchAll(new RegExp(TITLE, 'g'))].at(-1)?.[1];
}

function plainText(data: string): string {
  return data.replace(UNSEEN, '').replaceAll('\r\n', '\n').replaceAll('\r', '');
}
