import { BackendError } from '@bailiwick/backend-contract';
import type { CmuxClient } from '../client/cmux-client.ts';
import { examineCmux } from '../standing/examine.ts';
import type { Caller } from '../standing/identity.ts';
import { type Standing, StandingKind } from '../standing/standing.ts';
import type { CmuxBackendOptions } from './options.ts';

/** The app as the lead can use it: beside its own terminal, or in a workspace of its own; or why it can't. */
export type Lead =
  | { readonly kind: 'ready'; readonly client: CmuxClient; readonly caller: Caller | null; readonly standing: Standing }
  | { readonly kind: 'refused'; readonly reason: string; readonly standing: Standing };

/** Looks once per command, and once more after a look that found nobody. Keeps the one connection (C1). */
export class LeadFinder {
  readonly #options: CmuxBackendOptions;
  #looking: Promise<Lead> | undefined;

  constructor(options: CmuxBackendOptions) {
    this.#options = options;
  }

  async find(): Promise<Lead> {
    this.#looking ??= this.#look();
    const lead = await this.#looking;
    // A retry tries the wanted backend again (CX-3): what was refused may be there by then.
    if (lead.kind === 'refused') this.#looking = undefined;
    return lead;
  }

  /** The client, where one was opened; for what may be left undone. */
  async clientOrNothing(): Promise<CmuxClient | undefined> {
    const lead = await this.find();
    return lead.kind === 'ready' ? lead.client : undefined;
  }

  /** Throws BackendError BACKEND_WALLED_OFF (CX-4). */
  async refuseWalledOff(): Promise<void> {
    const lead = await this.find();
    if (lead.kind === 'refused' && lead.standing.kind === StandingKind.walledOff) throw walledOff(lead.standing);
  }

  async close(): Promise<void> {
    const lead = await this.#looking?.catch(() => undefined);
    if (lead?.kind === 'ready') lead.client.close();
    this.#looking = undefined;
  }

  async #look(): Promise<Lead> {
    const { surroundings, mayOpenWorkspace } = this.#options;
    const { standing, client, caller } = await examineCmux(surroundings);
    if (client === null) return refused(standing);
    if (standing.kind === StandingKind.usable) return { kind: 'ready', client, caller, standing };
    const isOwn = standing.kind === StandingKind.outside || standing.kind === StandingKind.staleIds;
    if (isOwn && mayOpenWorkspace === true) return { kind: 'ready', client, caller: null, standing };
    client.close();
    return refused(standing);
  }
}

function refused(standing: Standing): Lead {
  return { kind: 'refused', standing, reason: standing.reason };
}

function walledOff({ reason, advice }: Standing): BackendError {
  return new BackendError('BACKEND_WALLED_OFF', reason, { hint: advice });
}
