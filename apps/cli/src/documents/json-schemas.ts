import { z } from 'zod';
import { AuditExecDocument } from './audit.ts';
import type { Documents } from './documents.ts';
import { ErrorDocument } from './error.ts';
import { ModelsCheckDocument, ModelsListDocument, ModelsResolveDocument } from './models.ts';
import { CmuxProbeDocument, CompletionDocument, DoctorDocument, InitDocument } from './project.ts';
import {
  RunApplyDocument,
  RunCreateDocument,
  RunDiscardDocument,
  RunListDocument,
  RunPruneDocument,
  RunReportDocument,
  RunVerifyDocument,
} from './run.ts';
import { RunShowDocument } from './run-summary.ts';
import {
  TeamAwaitDocument,
  TeamDispatchDocument,
  TeamDryRunDocument,
  TeamStatusDocument,
  TeamStopDocument,
} from './team.ts';

/** Each document with the commands that print it, by the name of its schema. */
export const PRINTED: Readonly<
  Record<keyof Documents | 'error', { readonly schema: z.ZodType; readonly commands: readonly string[] }>
> = {
  init: { schema: InitDocument, commands: ['init'] },
  doctor: { schema: DoctorDocument, commands: ['doctor'] },
  'cmux-probe': { schema: CmuxProbeDocument, commands: ['doctor --cmux-probe'] },
  completion: { schema: CompletionDocument, commands: ['completion'] },
  'models-list': { schema: ModelsListDocument, commands: ['models list'] },
  'models-resolve': { schema: ModelsResolveDocument, commands: ['models resolve'] },
  'models-check': { schema: ModelsCheckDocument, commands: ['models check'] },
  'run-create': { schema: RunCreateDocument, commands: ['run create'] },
  'run-show': { schema: RunShowDocument, commands: ['run start', 'run resume', 'run show'] },
  'run-list': { schema: RunListDocument, commands: ['run list'] },
  'run-apply': { schema: RunApplyDocument, commands: ['run apply'] },
  'run-discard': { schema: RunDiscardDocument, commands: ['run discard'] },
  'run-prune': { schema: RunPruneDocument, commands: ['run prune'] },
  'run-report': { schema: RunReportDocument, commands: ['run report'] },
  'run-verify': { schema: RunVerifyDocument, commands: ['run verify'] },
  'team-dispatch': { schema: TeamDispatchDocument, commands: ['team dispatch'] },
  'team-dry-run': { schema: TeamDryRunDocument, commands: ['team dispatch --dry-run'] },
  'team-await': { schema: TeamAwaitDocument, commands: ['team await'] },
  'team-status': { schema: TeamStatusDocument, commands: ['team status'] },
  'team-stop': { schema: TeamStopDocument, commands: ['team stop'] },
  'audit-exec': { schema: AuditExecDocument, commands: ['audit exec'] },
  error: { schema: ErrorDocument, commands: ['every command that refuses or fails'] },
};

/** The published JSON Schemas (draft 2020-12) by file name, generated from the schemas that type what commands print. */
export function jsonSchemas(): Readonly<Record<string, object>> {
  return Object.fromEntries(
    Object.entries(PRINTED).map(([name, { schema, commands }]) => [
      `${name}-v1.json`,
      z.toJSONSchema(schema.meta({ title: `What is printed with --json by: ${commands.join(', ')}` })),
    ]),
  );
}
