/** The formats of model APIs that the gateway reads. */
export const ModelFormat = {
  openaiResponses: 'openai-responses',
  openaiChat: 'openai-chat',
  anthropicMessages: 'anthropic-messages',
  googleGenerateContent: 'google-generate-content',
} as const;
export type ModelFormat = (typeof ModelFormat)[keyof typeof ModelFormat];

/** The real key, and the header that carries it upstream. */
export interface UpstreamKey {
  readonly value: string;
  /** Default: what the format's own vendor takes. `bearer` is `authorization: Bearer …`. */
  readonly sentAs?: 'bearer' | 'x-api-key' | 'x-goog-api-key' | 'api-key';
}

/** Which models may be asked for, by the names that stand in requests. Both absent: any. */
export interface ModelRule {
  /** No other one than these. */
  readonly only?: readonly string[];
  /** None of these. */
  readonly never?: readonly string[];
}

/** What one attempt may reach. */
export interface AttemptRoute {
  readonly format: ModelFormat;
  /** Root of the model server, without `/v1` and without a trailing slash; it may have a path. */
  readonly upstream: string;
  /** Null: the server wants none. */
  readonly key: UpstreamKey | null;
  readonly models?: ModelRule;
  /** Told what is seen on the wire, as soon as it is. Must not throw. */
  readonly onEvent?: (event: GatewayEvent) => void;
}

/** Tokens of one turn as the server counts them. `unknown` where it didn't say; never 0 in its place. */
export interface TurnUsage {
  /** All input tokens, those of a cache included. */
  readonly inputTokens: number | 'unknown';
  /** All output tokens, reasoning included. */
  readonly outputTokens: number | 'unknown';
  /** The part of `inputTokens` that a cache served. */
  readonly cachedInputTokens: number | 'unknown';
}

/** One answer of the model that the server began to give. */
export interface GatewayTurn {
  /** From 1, in the order in which answers began. */
  readonly turn: number;
  /** Every name under which the server said that it answers, each once; empty where it said none, or none could be read. */
  readonly servedModels: readonly string[];
  readonly usage: TurnUsage;
  /** It came to its end; false where the connection broke or the attempt ended first. */
  readonly isComplete: boolean;
}

/**
 * What is seen on the wire. Holds neither content nor keys.
 *
 * - `served-model`: a name in the turn that wasn't seen in it before.
 * - `turn`: it is over.
 * - `failure`: the server answered with this status, or not at all (null).
 * - `refused`: a request that never left: for a model that isn't allowed, or for something that isn't a turn.
 */
export type GatewayEvent =
  | { readonly kind: 'served-model'; readonly turn: number; readonly model: string }
  | ({ readonly kind: 'turn' } & GatewayTurn)
  | { readonly kind: 'failure'; readonly status: number | null }
  | { readonly kind: 'refused'; readonly code: RefusalCode; readonly model: string | null };

/** Why a request was answered by the gateway itself; the code stands in its answer. */
export const RefusalCode = {
  /** 404: no attempt has this path, or not any more. */
  attemptUnknown: 'ATTEMPT_UNKNOWN',
  /** 404: the path is none of the format's. */
  pathUnknown: 'PATH_UNKNOWN',
  /** 403: the rule doesn't allow the model that is asked for, or none could be read. */
  modelRefused: 'MODEL_REFUSED',
  /** 413: larger than the gateway holds to look for the model's name. */
  requestTooLarge: 'REQUEST_TOO_LARGE',
  /** 502: the model server can't be reached. */
  upstreamUnreachable: 'UPSTREAM_UNREACHABLE',
} as const;
export type RefusalCode = (typeof RefusalCode)[keyof typeof RefusalCode];

/** The way of one attempt through the gateway. */
export interface GatewayAttempt {
  /** What the agent gets in place of the model server's root. Whoever knows it can use it: keep it out of logs. */
  readonly url: string;
  /** All turns so far that are over. */
  turns(): readonly GatewayTurn[];
  /** Ends the path at once: later requests are refused, answers under way are cut off. Idempotent. */
  close(): void;
}

/** A gateway that listens. */
export interface ModelGateway {
  readonly port: number;
  /** Opens a path of its own for an attempt. Throws GatewayError ROUTE_INVALID or GATEWAY_CLOSED. */
  admit(route: AttemptRoute): GatewayAttempt;
  /** Closes every attempt and stops listening. Idempotent. */
  close(): Promise<void>;
}
