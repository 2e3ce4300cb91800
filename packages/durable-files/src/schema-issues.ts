import type { DocumentIssue } from './errors.ts';
import { jsonPointer } from './json-value.ts';
import type { StandardIssue } from './standard-schema.ts';

/** What zod says of an issue beyond the standard (zod 4, `$ZodIssue`); other libraries' issues have none of it. */
interface ZodDetails {
  readonly code?: string;
  readonly keys?: readonly string[];
  readonly errors?: readonly (readonly StandardIssue[])[];
}

/**
 * A schema's findings as JSON pointers into the document. A key that the schema doesn't know is named itself, not the object that it is
 * in; of a value with several forms, what is wrong in the only one that it can be meant as.
 */
export function documentIssuesOf(issues: readonly StandardIssue[]): readonly DocumentIssue[] {
  return issues.flatMap((issue) => withPath([], issue));
}

function withPath(before: readonly string[], issue: StandardIssue & ZodDetails): readonly DocumentIssue[] {
  const path = [...before, ...keysOf(issue)];
  if (issue.code === 'unrecognized_keys' && issue.keys !== undefined)
    return issue.keys.map((key) => ({ path: jsonPointer([...path, key]), message: 'is not a key of this format' }));
  const meant = issue.code === 'invalid_union' ? onlyFitting(issue.errors ?? []) : undefined;
  if (meant !== undefined) return meant.flatMap((inner) => withPath(path, inner));
  return [{ path: jsonPointer(path), message: issue.message }];
}

/** The findings on the one form that the value has, where only its members are wrong. */
function onlyFitting(forms: readonly (readonly (StandardIssue & ZodDetails)[])[]) {
  const fitting = forms.filter((issues) =>
    issues.every((issue) => keysOf(issue).length > 0 || issue.code === 'unrecognized_keys'),
  );
  return fitting.length === 1 ? fitting[0] : undefined;
}

function keysOf({ path }: StandardIssue): readonly string[] {
  return (path ?? []).map((part) => String(typeof part === 'object' ? part.key : part));
}
