import { AssignmentError, AssignmentErrorCode } from './errors.ts';
import type { ModelRef } from './model.ts';

/** Longest model ref; the longest vendor id seen has 71 characters. */
export const MAX_MODEL_REF_LENGTH = 200;

/** Provider, model (with slashes where a gateway's names have them), optional version. */
export const MODEL_REF_PATTERN =
  /^[a-z0-9][a-z0-9._-]*\/[A-Za-z0-9][A-Za-z0-9._:+~-]*(?:\/[A-Za-z0-9._:+~-]+)*(?:@[A-Za-z0-9][A-Za-z0-9._-]*)?$/;

/**
 * A model ref, `<provider>/<model>[@<version>]`, at most {@link MAX_MODEL_REF_LENGTH} characters.
 *
 * @throws AssignmentError MODEL_REF_INVALID
 */
export function parseModelRef(value: unknown): ModelRef {
  if (isModelRef(value)) return value;
  throw new AssignmentError(
    AssignmentErrorCode.modelRefInvalid,
    `${shown(value)} is not a model ref of the form <provider>/<model>[@<version>]`,
    { details: { field: 'modelRef' }, hint: 'Write it like claude/opus or codex/gpt-5.5@2026-04-23.' },
  );
}

/** Whether it has a model ref's form; says nothing about a pool. */
export function isModelRef(value: unknown): value is ModelRef {
  return typeof value === 'string' && value.length <= MAX_MODEL_REF_LENGTH && MODEL_REF_PATTERN.test(value);
}

/** The part before the first slash: the agent CLI. */
export function providerOfModelRef(modelRef: ModelRef): string {
  return modelRef.slice(0, modelRef.indexOf('/'));
}

/** For messages: a string quoted and cut, anything else by its type. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value);
  return value === null ? 'null' : `a value of type ${typeof value}`;
}
