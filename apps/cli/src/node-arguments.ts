/** Whoever may send a Node program SIGUSR1 could else open a debugger in it, and say through it whatever a supervisor says. */
export const NO_DEBUGGER_BY_SIGNAL = '--disable-sigusr1';
