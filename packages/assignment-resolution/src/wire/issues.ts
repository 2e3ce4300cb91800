import type { z } from 'zod';
import type { PathIssue } from '../errors.ts';

/** The findings of a schema as JSON pointers; a key that the schema doesn't know is named itself, not its object. */
export function issuesOf(error: z.ZodError): readonly PathIssue[] {
  return error.issues.flatMap((issue) => {
    if (issue.code !== 'unrecognized_keys') return [{ path: pointer(issue.path), message: issue.message }];
    return issue.keys.map((key) => ({ path: pointer([...issue.path, key]), message: 'unknown key' }));
  });
}

/** RFC 6901; `''` is the whole document. */
function pointer(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** `/bindings/0/runner: Invalid option; /aliases: …`, for messages. */
export function summaryOf(issues: readonly PathIssue[]): string {
  const most = issues.slice(0, 3).map((issue) => `${issue.path === '' ? '/' : issue.path}: ${issue.message}`);
  const rest = issues.length - most.length;
  return most.join('; ') + (rest > 0 ? ` (and ${rest} more)` : '');
}
