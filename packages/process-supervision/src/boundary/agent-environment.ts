import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { PrivateHomeOrder } from '@bailiwick/dispatch-state';
import type { PrivatePlaces } from './private-places.ts';

/** Where tool chains keep themselves below the user's HOME, and the variable that says so. */
const TOOL_CHAINS: Readonly<Record<string, string>> = {
  ASDF_DATA_DIR: '.asdf',
  CARGO_HOME: '.cargo',
  GIT_CONFIG_GLOBAL: '.gitconfig',
  GOPATH: 'go',
  NPM_CONFIG_USERCONFIG: '.npmrc',
  NVM_DIR: '.nvm',
  PYENV_ROOT: '.pyenv',
  RBENV_ROOT: '.rbenv',
  RUSTUP_HOME: '.rustup',
  SDKMAN_DIR: '.sdkman',
  VOLTA_HOME: '.volta',
};

/** Would lead out of a private HOME, or to what is hidden. */
const LEADING_OUT = ['XDG_CACHE_HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME'];
const HIDDEN = ['XDG_RUNTIME_DIR', 'DBUS_SESSION_BUS_ADDRESS', 'SSH_AUTH_SOCK', 'GPG_AGENT_INFO'];

/**
 * The environment of a confined agent: HOME and temporary folder are its own, while tool chains and the author of
 * commits stay where the user has them, to be read.
 */
export async function confinedEnvironment(
  env: Readonly<Record<string, string>>,
  privateHome: PrivateHomeOrder | null,
  places: PrivatePlaces,
): Promise<Readonly<Record<string, string>>> {
  const { home, temporaryFolder } = places;
  const temporary = { TMPDIR: temporaryFolder, TMP: temporaryFolder, TEMP: temporaryFolder };
  if (home === undefined || privateHome === null) return { ...without(env, HIDDEN), ...temporary };
  const tools = await toolChainsOf(privateHome.userHome, env);
  return { ...without(env, [...HIDDEN, ...LEADING_OUT]), ...tools, ...temporary, HOME: home };
}

async function toolChainsOf(
  userHome: string,
  env: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, string>>> {
  const asked = Object.entries(TOOL_CHAINS).filter(([variable]) => !(variable in env));
  const found = await Promise.all(asked.map(async ([, place]) => isThere(join(userHome, place))));
  return Object.fromEntries(asked.flatMap(([name, place], at) => (found[at] ? [[name, join(userHome, place)]] : [])));
}

function without(env: Readonly<Record<string, string>>, names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name)));
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
