import type { CmuxApp } from '../app.ts';
import type { Params } from '../params.ts';

/** What methods know besides the app. */
export interface RpcSurroundings {
  readonly socketPath: string;
  readonly cliPath: string;
  readonly accessMode: () => string;
}

/** Answers a request, or throws RpcFailure. */
export type Method = (app: CmuxApp, params: Params, around: RpcSurroundings) => unknown;
export type Methods = Readonly<Record<string, Method>>;
