import type { JsonValue } from '@bailiwick/durable-files';
import type { Log, ReportingDescriptor, Result } from 'sarif';
import type { AuditViolation, ChangedPath, MutationAudit, PathName, ViolationCode } from '../model.ts';

/** What a SARIF log says besides the audit. */
export interface SarifOptions {
  /** Of the program that audited. */
  readonly toolName: string;
  readonly toolVersion: string;
  /** Absolute; paths of the results are relative to it. */
  readonly projectRoot: string;
}

const PROJECT = 'PROJECTROOT';
const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json';

const RULES: Readonly<Record<ViolationCode, string>> = {
  'outside-policy': 'A path changed that no policy of the batch allows.',
  'out-of-plan': 'A path changed that is not in the plan.',
  'never-writable': 'A path changed that no worker may ever write.',
  'protected-ignored':
    'An ignored file changed that decides what others run or who they are: a hook, CI, credentials, a lockfile.',
  'git-state': "Git's state changed: configuration, hooks, refs, the index.",
  'commit-outside-policy': 'A commit changes a path that no policy of the batch allows.',
  'orchestrator-tampered': "A file of the orchestrator isn't as its owner left it.",
  unverifiable: "A path couldn't be compared, and is not taken as unchanged.",
};

/**
 * The violations of an audit as a SARIF log (OASIS SARIF 2.1.0), for code scanning and editors. Pure. A result's `properties` hold kind
 * of change, grade of attribution and candidates where the audit knows them; paths whose bytes are not UTF-8 are percent-encoded.
 */
export function sarifOf(audit: MutationAudit, o: SarifOptions): JsonValue {
  const log: Log = {
    version: '2.1.0',
    $schema: SCHEMA,
    runs: [
      {
        tool: { driver: { name: o.toolName, version: o.toolVersion, rules: rules() } },
        originalUriBaseIds: { [PROJECT]: { uri: `file://${encodePath(o.projectRoot)}/` } },
        columnKind: 'utf16CodeUnits',
        results: audit.violations.map((violation) => resultOf(violation, changeAt(audit, violation.path))),
        properties: { status: audit.status, attribution: audit.attribution },
      },
    ],
  };
  return log as unknown as JsonValue; // the types of SARIF are plain JSON, with optional fields that are absent here
}

function rules(): ReportingDescriptor[] {
  return Object.entries(RULES).map(([id, text]) => ({ id, shortDescription: { text } }));
}

function resultOf({ code, path, message }: AuditViolation, change: ChangedPath | undefined): Result {
  return {
    ruleId: code,
    ruleIndex: Object.keys(RULES).indexOf(code),
    level: 'error',
    message: { text: message },
    ...(path === undefined ? {} : { locations: [{ physicalLocation: { artifactLocation: locationOf(path) } }] }),
    ...(change === undefined
      ? {}
      : {
          properties: { kind: change.kind, attribution: change.attribution, candidates: [...change.candidates] },
        }),
  };
}

function changeAt({ changedPaths }: MutationAudit, path: PathName | undefined): ChangedPath | undefined {
  const key = JSON.stringify(path);
  return path === undefined ? undefined : changedPaths.find((change) => JSON.stringify(change.path) === key);
}

/** Relative to the project where it lies inside; an absolute path is a URI of its own. */
function locationOf(path: PathName): { uri: string; uriBaseId?: string } {
  const uri = encodePath(path);
  return uri.startsWith('/') ? { uri: `file://${uri}` } : { uri, uriBaseId: PROJECT };
}

/** Byte by byte, so that every name is told apart; `/` stays. */
function encodePath(path: PathName): string {
  const bytes = typeof path === 'string' ? Buffer.from(path, 'utf8') : Buffer.from(path.pathBytes, 'base64');
  return Array.from(bytes, encodeByte).join('');
}

function encodeByte(byte: number): string {
  const char = String.fromCharCode(byte);
  return /[A-Za-z0-9\-._~/]/.test(char) ? char : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
}
