import type { RoleExecution, RunManifest } from '@bailiwick/dispatch-state';
import { parseExecutionLabel, parseRoleExecutionRef, parseWorkerId } from '@bailiwick/execution-identity';
import { describe, expect, it } from 'vitest';
import { canonicalTranslator, checkBatchShape } from '../../src/index.ts';
import { isCanonical } from '../../src/plan/canonical-translator.ts';
import { codeOf } from '../support/errors.ts';
import { sampleManifest } from '../support/sample-manifest.ts';

/** The sample run with its report writer's seat turned into a translator's, and the assignment that names it. */
function withTranslator(change: (row: RoleExecution) => RoleExecution = (row) => row): RunManifest {
  const sample = sampleManifest('/project', '/state');
  const [seat] = sample.roleExecutions.filter((row) => row.role === 'report-writer');
  if (seat?.binding == null) throw new Error('the sample has a bound report writer');
  const translator: RoleExecution = { ...seat, role: 'translator', executionLabel: parseExecutionLabel('translator') };
  const assignment = {
    provider: seat.provider,
    runner: 'cli-wrapper',
    modelExecutionValue: seat.binding.resolvedExecutionValue,
    hostModelValue: null,
  };
  return { ...sample, roleExecutions: [change(translator)], invocationAssignments: { translator: assignment } };
}

const bound = (row: RoleExecution, change: Partial<NonNullable<RoleExecution['binding']>>): RoleExecution =>
  row.binding === null ? row : { ...row, binding: { ...row.binding, ...change } };

describe('the canonical translator', () => {
  it('TR-1 is the one role execution that the assignment names in provider, runner and execution value', () => {
    expect(canonicalTranslator(withTranslator()).executionLabel).toBe('translator');
  });

  it.each<[string, (row: RoleExecution) => RoleExecution]>([
    ['another role', (row) => ({ ...row, role: 'report-writer' })],
    ['another provider', (row) => ({ ...row, provider: 'codex' })],
    ['another runner', (row) => bound(row, { runner: 'host-native' })],
    ['another execution value', (row) => bound(row, { resolvedExecutionValue: 'some-other-model' })],
    ['no binding', (row) => ({ ...row, binding: null })],
  ])('TR-1 TR-5 is none with %s', async (_, change) => {
    const manifest = withTranslator(change);
    expect(manifest.roleExecutions.every((row) => !isCanonical(row, manifest))).toBe(true);
    expect(await codeOf(async () => canonicalTranslator(manifest))).toBe('TRANSLATOR_NOT_CANONICAL');
  });

  it('TR-1 is refused where several fit', async () => {
    const manifest = withTranslator();
    const twin = manifest.roleExecutions.map((row) => ({
      ...row,
      roleExecutionRef: parseRoleExecutionRef('role.twin'),
    }));
    const several = { ...manifest, roleExecutions: [...manifest.roleExecutions, ...twin] };
    expect(await codeOf(async () => canonicalTranslator(several))).toBe('TRANSLATOR_NOT_CANONICAL');
  });

  it('TR-1 is refused with a provider that no wrapper supports', async () => {
    const manifest = withTranslator((row) => ({ ...row, provider: 'amp' }));
    const assignment = { ...manifest.invocationAssignments['translator'], provider: 'amp' };
    const unsupported = { ...manifest, invocationAssignments: { translator: assignment } } as RunManifest;
    expect(await codeOf(async () => canonicalTranslator(unsupported))).toBe('PROVIDER_UNSUPPORTED');
  });

  it('TR-1 is refused without an assignment', async () => {
    const manifest = { ...withTranslator(), invocationAssignments: {} };
    expect(await codeOf(async () => canonicalTranslator(manifest))).toBe('TRANSLATOR_NOT_CANONICAL');
  });

  it('TR-1 is dispatched alone', async () => {
    const shape = (workerId: string, audience: 'translator' | 'analysis-worker') => ({
      workerId: parseWorkerId(workerId),
      audience,
      backend: 'cli-wrapper' as const,
    });
    const both = [shape('translator', 'translator'), shape('ada', 'analysis-worker')];
    expect(await codeOf(async () => checkBatchShape(both, new Map([['cli-wrapper', true]])))).toBe(
      'TRANSLATOR_NOT_ALONE',
    );
  });
});
