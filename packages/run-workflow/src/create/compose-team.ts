import { type AssignmentEnvironment, type ModelPool, resolveAssignment } from '@bailiwick/assignment-resolution';
import type { InvocationAssignment, Participant, RoleExecution } from '@bailiwick/dispatch-state';
import {
  parseExecutionLabel,
  parseParticipantRef,
  parseRoleExecutionRef,
  parseWorkerId,
  Role,
  type Role as RoleName,
  type WorkerId,
} from '@bailiwick/execution-identity';
import type { ProjectConfig, Seat } from '../project/config.ts';

/** The people of a run: participants, the roles they play with the model bound to each, and what each is assigned. */
export interface Team {
  readonly participants: readonly Participant[];
  readonly roleExecutions: readonly RoleExecution[];
  readonly invocationAssignments: Readonly<Record<string, InvocationAssignment>>;
  readonly recommendedWorkers: readonly WorkerId[];
}

/** Seats → team, every model resolved on this host; AssignmentError says what is missing and what would fix it. Pure. */
export function composeTeam(config: ProjectConfig, pool: ModelPool, environment: AssignmentEnvironment): Team {
  const seats = seatsOf(config);
  const rows = seats.map((seat) => seatRow(seat, pool, environment));
  return {
    participants: rows.map((row) => row.participant),
    roleExecutions: rows.map((row) => row.execution),
    invocationAssignments: Object.fromEntries(rows.map((row) => [row.participant.workerId, row.assignment])),
    // A translator is dispatched by its own command and is no part of the roster (TR-1).
    recommendedWorkers: rows
      .filter((row) => row.execution.role !== Role.translator)
      .map((row) => row.participant.workerId),
  };
}

interface NamedSeat {
  readonly name: string;
  readonly role: RoleName;
  readonly ordinal: number;
  readonly seat: Seat;
}

function seatsOf(config: ProjectConfig): readonly NamedSeat[] {
  const { implementer, verifiers, reportWriter, translator } = config.team;
  return [
    { name: 'implementer', role: Role.implementer, ordinal: 1, seat: implementer },
    ...verifiers.map((seat, index) => ({
      name: `verifier-${index + 1}`,
      role: Role.verifier,
      ordinal: index + 1,
      seat,
    })),
    ...(reportWriter === undefined
      ? []
      : [{ name: 'report-writer', role: Role.reportWriter, ordinal: 1, seat: reportWriter }]),
    ...(translator === undefined ? [] : [{ name: 'translator', role: Role.translator, ordinal: 1, seat: translator }]),
  ];
}

function seatRow({ name, role, ordinal, seat }: NamedSeat, pool: ModelPool, environment: AssignmentEnvironment) {
  const assignment = resolveAssignment({ role, ordinal, modelRef: seat.model, pool, environment });
  const participantRef = parseParticipantRef(`participant.${name}`);
  const provider = assignment.providerId;
  return {
    participant: { participantRef, workerId: parseWorkerId(name), provider },
    execution: {
      roleExecutionRef: parseRoleExecutionRef(`role.${name}`),
      participantRef,
      executionLabel: parseExecutionLabel(name),
      role,
      ordinal,
      provider,
      modelRef: assignment.modelRef,
      modelId: assignment.modelId,
      modelSpecDigest: assignment.modelSpecDigest,
      binding: assignment.binding,
    },
    assignment: {
      provider,
      runner: assignment.binding.runner,
      modelExecutionValue: assignment.binding.resolvedExecutionValue,
      hostModelValue: assignment.binding.hostModelValue,
    },
  };
}
