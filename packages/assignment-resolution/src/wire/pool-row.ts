import type { z } from 'zod';
import { AssignmentError, AssignmentErrorCode, type PathIssue } from '../errors.ts';
import { HOST_IDS } from '../hosts.ts';
import { BoundaryPrecision, type ModelPoolEntry, Runner, VersionKind } from '../model.ts';
import { parseModelRef, providerOfModelRef } from '../model-ref.ts';
import { issuesOf, summaryOf } from './issues.ts';
import { ModelAliasesV1, ModelPoolEntryV1, ModelShorthandV1 } from './v1.ts';

/**
 * A pool row, in full or short form, as an entry.
 *
 * @param where the row's place for the message, e.g. `config.json#/models/3`
 * @throws AssignmentError MODEL_POOL_ROW_INVALID, with every bad path in `details.issues`
 */
export function decodePoolRow(row: unknown, where: string): ModelPoolEntry {
  const entry = hasKey(row, 'executionValue')
    ? expandShorthand(accepted(ModelShorthandV1, row, where))
    : toEntry(accepted(ModelPoolEntryV1, row, where));
  const issues = issuesOfEntry(entry, hasKey(row, 'executionValue'));
  if (issues.length > 0) throw rowInvalid(where, issues);
  return entry;
}

/** The alias addition in it, or `undefined` when the row has another form or is broken. */
export function aliasAdditionIn(row: unknown): { modelRef: string; aliases: readonly string[] } | undefined {
  const result = ModelAliasesV1.safeParse(row);
  return result.success ? result.data : undefined;
}

/** The row's own word on its ref, without judging the row. */
export function peekString(row: unknown, key: string): string | undefined {
  const value = hasKey(row, key) ? Reflect.get(row, key) : undefined;
  return typeof value === 'string' ? value : undefined;
}

/** The strings in one of the row's lists, without judging the row. */
export function peekStrings(row: unknown, key: string): readonly string[] {
  const value: unknown = hasKey(row, key) ? Reflect.get(row, key) : undefined;
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

function hasKey(row: unknown, key: string): row is object {
  return typeof row === 'object' && row !== null && Object.hasOwn(row, key);
}

function accepted<S extends z.ZodType>(schema: S, value: unknown, where: string): z.output<S> {
  const result = schema.safeParse(value);
  if (!result.success) throw rowInvalid(where, issuesOf(result.error));
  return result.data;
}

function rowInvalid(where: string, issues: readonly PathIssue[]): AssignmentError {
  return new AssignmentError(
    AssignmentErrorCode.modelPoolRowInvalid,
    `The model pool's row ${where} is not valid: ${summaryOf(issues)}`,
    { details: { where, issues }, hint: 'Correct the row, or take it out.' },
  );
}

function toEntry(row: z.output<typeof ModelPoolEntryV1>): ModelPoolEntry {
  return { ...row, modelRef: parseModelRef(row.modelRef) };
}

function expandShorthand(row: z.output<typeof ModelShorthandV1>): ModelPoolEntry {
  const modelRef = parseModelRef(row.modelRef);
  const maxBoundaryPrecision = row.maxBoundaryPrecision ?? BoundaryPrecision.none;
  return {
    modelRef,
    providerId: providerOfModelRef(modelRef),
    modelId: row.modelId ?? row.executionValue,
    versionKind: row.versionKind ?? VersionKind.pinned,
    ...(row.channelFamily === undefined ? {} : { channelFamily: row.channelFamily }),
    aliases: row.aliases ?? [],
    ...(row.roles === undefined ? {} : { roles: row.roles }),
    bindings: HOST_IDS.map((hostId) => ({
      hostId,
      runner: Runner.cliWrapper,
      resolvedExecutionValue: row.executionValue,
      hostModelValue: null,
      workerWriteCapability: { maxBoundaryPrecision },
    })),
  };
}

/** What a schema can't say: fields that must agree with each other. */
function issuesOfEntry(entry: ModelPoolEntry, isShorthand: boolean): readonly PathIssue[] {
  const issues: PathIssue[] = [];
  if (providerOfModelRef(entry.modelRef) !== entry.providerId) {
    issues.push({ path: '/providerId', message: `must be the provider of modelRef ${entry.modelRef}` });
  }
  for (const [index, alias] of entry.aliases.entries()) {
    if (entry.aliases.indexOf(alias) !== index)
      issues.push({ path: `/aliases/${index}`, message: `${alias} is repeated` });
  }
  if (isShorthand) return issues;
  const seen = new Set<string>();
  for (const [index, binding] of entry.bindings.entries()) {
    const key = `${binding.hostId} through ${binding.runner}`;
    if (seen.has(key)) issues.push({ path: `/bindings/${index}`, message: `a second binding for ${key}` });
    seen.add(key);
  }
  return issues;
}
