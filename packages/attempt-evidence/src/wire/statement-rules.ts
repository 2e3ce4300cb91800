import type { DocumentIssue } from '@bailiwick/durable-files';
import { isAttempt, isInvocationRef, sealKeyOf } from '@bailiwick/execution-identity';
import type { SealStatement } from '../model.ts';

/** What a schema can't say of a statement: its key is that of its attempt, its place in the chain is possible, its names name files of the run. */
export function statementIssues({ subject, predicate }: SealStatement): readonly DocumentIssue[] {
  const { chain, files } = predicate;
  return [
    ...(isKeyOfAttempt(predicate) ? [] : [found('/predicate/sealKey', 'is not that of invocationRef and attempt')]),
    ...((chain.sequence === 1) === (chain.previous === null)
      ? []
      : [found('/predicate/chain/previous', 'is null for the first seal of a run, and for no other')]),
    ...nameIssues(subject, '/subject', new Set()),
    ...nameIssues(files, '/predicate/files', new Set(subject.map(({ name }) => name))),
  ];
}

function isKeyOfAttempt({ sealKey, attempt: { identity } }: SealStatement['predicate']): boolean {
  const { invocationRef, attempt } = identity;
  return isInvocationRef(invocationRef) && isAttempt(attempt) && sealKey === sealKeyOf(invocationRef, attempt);
}

function nameIssues(
  rows: readonly { readonly name: string }[],
  at: string,
  taken: Set<string>,
): readonly DocumentIssue[] {
  return rows.flatMap(({ name }, index) => {
    const problem = taken.has(name) ? 'names a file a second time' : nameProblem(name);
    taken.add(name);
    return problem === undefined ? [] : [found(`${at}/${index}/name`, problem)];
  });
}

// A seal could be forged: what it names must not lead a verifier out of the run's folder.
function nameProblem(name: string): string | undefined {
  const isInside =
    !name.includes('\0') && name.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
  return isInside ? undefined : 'is no name below the folder of the run';
}

function found(pointer: string, message: string): DocumentIssue {
  return { path: `/payload${pointer}`, message };
}
