import type { EncodedAudit } from '@bailiwick/mutation-audit';
import type { AuditExecDocument } from './audit.ts';
import type { Printed } from './document.ts';
import type { ModelsCheckDocument, ModelsListDocument, ModelsResolveDocument } from './models.ts';
import type { CmuxProbeDocument, CompletionDocument, DoctorDocument, InitDocument } from './project.ts';
import type {
  RunApplyDocument,
  RunCreateDocument,
  RunDiscardDocument,
  RunListDocument,
  RunPruneDocument,
  RunReportDocument,
  RunVerifyDocument,
} from './run.ts';
import type { RunShowDocument } from './run-summary.ts';
import type {
  TeamAwaitDocument,
  TeamDispatchDocument,
  TeamDryRunDocument,
  TeamStatusDocument,
  TeamStopDocument,
} from './team.ts';

/**
 * What commands print with `--json`, by the name of its schema. Types alone: a command that loaded the schemas would start
 * later for something that only their generator and tests need.
 */
export interface Documents {
  readonly init: Printed<typeof InitDocument>;
  readonly doctor: Printed<typeof DoctorDocument>;
  readonly 'cmux-probe': Printed<typeof CmuxProbeDocument>;
  readonly completion: Printed<typeof CompletionDocument>;
  readonly 'models-list': Printed<typeof ModelsListDocument>;
  readonly 'models-resolve': Printed<typeof ModelsResolveDocument>;
  readonly 'models-check': Printed<typeof ModelsCheckDocument>;
  readonly 'run-create': Printed<typeof RunCreateDocument>;
  readonly 'run-show': Printed<typeof RunShowDocument>;
  readonly 'run-list': Printed<typeof RunListDocument>;
  readonly 'run-apply': Printed<typeof RunApplyDocument>;
  readonly 'run-discard': Printed<typeof RunDiscardDocument>;
  readonly 'run-prune': Printed<typeof RunPruneDocument>;
  readonly 'run-report': Printed<typeof RunReportDocument>;
  readonly 'run-verify': Printed<typeof RunVerifyDocument>;
  readonly 'team-dispatch': Printed<typeof TeamDispatchDocument>;
  readonly 'team-dry-run': Printed<typeof TeamDryRunDocument>;
  readonly 'team-await': Printed<typeof TeamAwaitDocument>;
  readonly 'team-status': Printed<typeof TeamStatusDocument>;
  readonly 'team-stop': Printed<typeof TeamStopDocument>;
  readonly 'audit-exec': Omit<Printed<typeof AuditExecDocument>, 'audit'> & { readonly audit: EncodedAudit };
}
