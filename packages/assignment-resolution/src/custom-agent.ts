import type { Role } from '@bailiwick/execution-identity';
import type { BoundaryPrecision, ModelPoolEntry } from './model.ts';
import { decodePoolRow } from './wire/pool-row.ts';

/** The provider id that all agents declared by a user share; their refs are `custom/<name>`. */
export const CUSTOM_PROVIDER_ID = 'custom';

/** An agent that a user declared, as a model of its own. */
export interface CustomAgentModel {
  /** The agent's name in the config; its ref becomes `custom/<name>`. */
  readonly name: string;
  /** What its command gets as its model, the agent's name by default. */
  readonly model?: string;
  /** Further names of the same; none by default. */
  readonly aliases?: readonly string[];
  /** The only roles that it may have; any by default. */
  readonly roles?: readonly Role[];
  /** What its own sandbox holds it to, `none` by default: nobody has tested it. */
  readonly maxBoundaryPrecision?: BoundaryPrecision;
}

/**
 * The pool row of an agent that a user declared, offered on every host through the CLI wrapper.
 *
 * @throws AssignmentError MODEL_POOL_ROW_INVALID
 * @example
 * ```ts
 * const rows = mergePool(shippedModelPool(), [customAgentRow({ name: 'aider', model: 'sonnet' })]);
 * createModelPool(rows).resolve('custom/aider').providerId; // 'custom'
 * ```
 */
export function customAgentRow(agent: CustomAgentModel): ModelPoolEntry {
  const { name, model, ...limits } = agent;
  const row = { modelRef: `${CUSTOM_PROVIDER_ID}/${name}`, executionValue: model ?? name, ...limits };
  return decodePoolRow(row, `custom agent ${name}`);
}
