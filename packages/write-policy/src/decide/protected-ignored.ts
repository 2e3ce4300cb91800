import { foldName, foldText } from '../paths/fold.ts';
import { matchesPattern, parsePattern } from '../patterns/pattern.ts';
import { isDerived } from './derived-folders.ts';

/**
 * The fixed list of WP-10: what is never free although git ignores it, as patterns of our dialect. `root` ones count at
 * the top of a worktree or project only, since only there does a tool look for them; `anywhere` ones at any depth.
 */
export const PROTECTED_IGNORED = {
  hooks: {
    root: ['.githooks', '.pre-commit-config.yaml', '.overcommit.yml', '{.,}lefthook{-local,}.{yml,yaml,toml,json}'],
    anywhere: [
      '.husky',
      '.claude/settings.json',
      '.claude/settings.local.json',
      '.claude/hooks',
      '.codex/config.toml',
      '.codex/hooks.json',
      '.gemini/settings.json',
      '.qwen/settings.json',
      '.vscode/tasks.json',
    ],
  },
  ciConfiguration: {
    root: [
      '.github/workflows',
      '.github/actions',
      '.gitlab-ci.{yml,yaml}',
      '.gitlab/ci',
      '.circleci',
      '.buildkite',
      '.drone.{yml,yaml}',
      '.travis.yml',
      '.woodpecker',
      '.woodpecker.{yml,yaml}',
      '.forgejo/workflows',
      '.gitea/workflows',
      '.azure-pipelines',
      'azure-pipelines*.{yml,yaml}',
      'bitbucket-pipelines.yml',
      '{.,}appveyor.yml',
      '.cirrus.yml',
      'Jenkinsfile*',
    ],
    anywhere: [],
  },
  credentials: {
    root: [],
    anywhere: [
      '.npmrc',
      '.yarnrc{,.yml}',
      '.pypirc',
      '.netrc',
      '_netrc',
      '.git-credentials',
      '.pgpass',
      '.htpasswd',
      '.boto',
      '.aws',
      '.azure',
      '.gcloud',
      '.gnupg',
      '.kube',
      '.ssh',
      '.docker/config.json',
      '.terraformrc',
      '.vault-token',
      '.cargo/credentials{,.toml}',
      '.gem/credentials',
      'id_{rsa,dsa,ecdsa,ed25519}*',
      '*.{pem,key,p12,pfx,jks,keystore,kdbx}',
      '{client_,}{credentials,secrets}{,.*}',
      'service-account*.json',
    ],
  },
  environment: { root: [], anywhere: ['.env*'] },
  lockfiles: {
    root: [],
    anywhere: [
      'package-lock.json',
      'npm-shrinkwrap.json',
      'pnpm-lock.yaml',
      'yarn.lock',
      'bun.lock{,b}',
      'deno.lock',
      'Cargo.lock',
      'poetry.lock',
      'Pipfile.lock',
      'uv.lock',
      'pdm.lock',
      'pylock*.toml',
      'conda-lock.yml',
      'Gemfile.lock',
      'composer.lock',
      'go.{work.,}sum',
      'mix.lock',
      'pubspec.lock',
      'Podfile.lock',
      'Package.resolved',
      'packages.lock.json',
      'gradle.lockfile',
      'flake.lock',
      '.terraform.lock.hcl',
    ],
  },
} as const;

/**
 * Whether a path that git ignores is on the fixed list and lies in no derived folder.
 *
 * @param names from the top of the worktree or project down to the path
 */
export function isProtectedIgnored(names: readonly string[]): boolean {
  const folded = names.map(foldName);
  if (isDerived(names.slice(0, -1))) return false;
  return (
    AT_ROOT.some((pattern) => matchesPattern(pattern, folded)) || folded.some((_, at) => isNamed(folded.slice(at)))
  );
}

/** A plain name counts with all below it, a pattern for the last name only: `.env` may be a virtual environment. */
function isNamed(tail: readonly string[]): boolean {
  return ANYWHERE.some((pattern) => matchesPattern(pattern, tail));
}

const lists = Object.values(PROTECTED_IGNORED);
const AT_ROOT = lists.flatMap((list) => list.root).map((text) => parsePattern(foldText(text)));
const ANYWHERE = lists.flatMap((list) => list.anywhere).map((text) => parsePattern(foldText(text)));
