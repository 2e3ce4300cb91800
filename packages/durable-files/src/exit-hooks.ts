import { onExit } from 'signal-exit';

/** From the last write on; so short that a process that has stopped writing is soon as it was. */
const KEPT_MS = 100;

let letGo: (() => void) | undefined;
let timer: NodeJS.Timeout | undefined;

/**
 * Keeps the signal handlers of write-file-atomic in place while this process goes on writing. It asks for them at each write and gives
 * them back after it, some fifteen each, which costs twice what the writing does; they stay while somebody else holds one.
 */
export function keepExitHooks(): void {
  letGo ??= onExit(() => undefined);
  timer = timer?.refresh() ?? setTimeout(giveBack, KEPT_MS).unref();
}

function giveBack(): void {
  letGo?.();
  letGo = undefined;
  timer = undefined;
}
