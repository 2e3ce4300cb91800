import { describe, expect, it } from 'vitest';
import { decidePath, PROTECTED_IGNORED } from '../../src/index.ts';
import { makePolicy, PROJECT } from '../make-policy.ts';

const PROTECTED = [
  '.env',
  '.env.local',
  '.envrc',
  'apps/web/.ENV.Production',
  '.husky/pre-commit',
  'apps/web/.husky/_/husky.sh',
  'lefthook.yml',
  '.lefthook-local.toml',
  '.github/workflows/ci.yml',
  '.gitlab-ci.yml',
  '.circleci/config.yml',
  'Jenkinsfile',
  '.woodpecker.yml',
  '.npmrc',
  'a/.yarnrc.yml',
  '.aws/credentials',
  '.ssh/id_ed25519',
  'id_rsa',
  'certs/server.pem',
  'credentials.json',
  'secrets.yaml',
  'package-lock.json',
  'packages/a/yarn.lock',
  'Cargo.lock',
  'bun.lock',
  'bun.lockb',
  'go.sum',
  'go.work.sum',
  '.claude/settings.local.json',
];
const FREE = [
  'node_modules/.package-lock.json',
  'node_modules/x/.npmrc',
  'node_modules/x/.github/workflows/ci.yml',
  'target/debug/.cargo-lock',
  'dist/.env',
  '.venv/lib/site-packages/certifi/cacert.pem',
  '.env/bin/python',
  'examples/.github/workflows/ci.yml',
  'coverage/index.html',
  'environment',
  '.swp',
];

describe('the fixed list of WP-10', () => {
  it.each(PROTECTED)('WP-10 never frees %s although git ignores it', (path) => {
    for (const ignored of ['free', 'listed', 'none'] as const) {
      const decision = decidePath(makePolicy({ ignored }), `${PROJECT}/${path}`, { ignored: true });
      expect(decision).toEqual({ allowed: false, area: 'protected-ignored' });
    }
  });

  it.each(FREE)('WP-10 frees %s, which nobody uses as what it looks like', (path) => {
    expect(decidePath(makePolicy({ role: 'verifier' }), `${PROJECT}/${path}`, { ignored: true })).toEqual({
      allowed: true,
      area: 'ignored',
    });
  });

  it('WP-10 is about ignored paths only: a tracked lockfile in the worktree or the plan is ordinary source', () => {
    for (const path of PROTECTED) {
      expect(decidePath(makePolicy(), `${PROJECT}/${path}`)).toEqual({ allowed: true, area: 'source' });
      expect(decidePath(makePolicy({ plannedPaths: [path] }), `${PROJECT}/${path}`)).toEqual({
        allowed: true,
        area: 'source',
      });
    }
  });

  it('WP-10 yields to a plan that names the path, not to a pattern or a folder around it', () => {
    const decide = (plan: string, path: string) =>
      decidePath(makePolicy({ plannedPaths: [plan] }), `${PROJECT}/${path}`, { ignored: true }).area;
    expect(decide('app/.env', 'app/.env')).toBe('source');
    expect(decide('.husky', '.husky/pre-commit')).toBe('source');
    for (const plan of ['app', 'app/**', '**/.env', 'app/.en?'])
      expect(decide(plan, 'app/.env'), plan).toBe('protected-ignored');
  });

  it('WP-10 yields to scratch, which is the user’s own word', () => {
    const policy = makePolicy({ role: 'verifier', scratch: ['Cargo.lock'] });
    expect(decidePath(policy, `${PROJECT}/Cargo.lock`, { ignored: true })).toEqual({ allowed: true, area: 'scratch' });
  });

  it('WP-10 lets an install put repositories into an ignored derived folder, and nowhere else', () => {
    const policy = makePolicy({ role: 'verifier' });
    const area = (path: string, ignored: boolean) => decidePath(policy, `${PROJECT}/${path}`, { ignored }).area;
    expect(area('.build/checkouts/x/.git/config', true)).toBe('ignored');
    expect(area('.build/checkouts/x/.git/config', false)).toBe('never');
    for (const path of [
      '.git/config',
      'tmp/x/.git/config',
      '.git/node_modules/x',
      'node_modules/.bailiwick/x',
      'vendor/.git/.bailiwick',
    ]) {
      expect(area(path, true), path).toBe('never');
    }
  });

  it('WP-10 has a name for each kind of what it protects', () => {
    expect(Object.keys(PROTECTED_IGNORED)).toEqual([
      'hooks',
      'ciConfiguration',
      'credentials',
      'environment',
      'lockfiles',
    ]);
  });
});
