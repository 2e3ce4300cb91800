import { AssignmentError, AssignmentErrorCode } from './errors.ts';
import { type HostDescriptor, TerminalBackend } from './model.ts';
import { shown } from './model-ref.ts';

/** The lead runtimes that the shipped pool has bindings for. `terminal` is a person's shell, the default. */
export const HOST_IDS = ['claude-code', 'codex', 'gemini-cli', 'opencode', 'terminal'] as const;

/** Where a team is led from when nothing else is known: a person's shell. */
export const DEFAULT_HOST_ID = 'terminal';

const hostIdPattern = /^[a-z0-9][a-z0-9._-]*$/;

/**
 * The host of a run, from what its manifest says of the lead runtime and the terminal backend; both are required (AR-4).
 * A host id that no pool entry knows is no error here: resolving then says which hosts do offer the model.
 *
 * @throws AssignmentError HOST_CONTEXT_INVALID, `details.field` names which of the two
 */
export function hostOf(context: { leadRuntime?: unknown; terminalBackend?: unknown }): HostDescriptor {
  const { leadRuntime, terminalBackend } = context;
  if (typeof leadRuntime !== 'string' || !hostIdPattern.test(leadRuntime)) {
    throw invalid('leadRuntime', leadRuntime, `one of ${HOST_IDS.join(', ')}, or a host id of your own`);
  }
  if (terminalBackend !== TerminalBackend.cmux && terminalBackend !== TerminalBackend.none) {
    throw invalid('terminalBackend', terminalBackend, 'cmux or none');
  }
  return { hostId: leadRuntime, terminalBackend };
}

function invalid(field: string, value: unknown, wanted: string): AssignmentError {
  const problem = value === undefined ? 'is missing' : `is ${shown(value)}`;
  return new AssignmentError(
    AssignmentErrorCode.hostContextInvalid,
    `The host can't be told: ${field} ${problem}, and must be ${wanted}`,
    { details: { field }, hint: `Make the run again with a ${field}.` },
  );
}
