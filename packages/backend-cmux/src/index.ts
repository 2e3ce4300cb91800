export { type CmuxBackend, createCmuxBackend, type ReleasedAttempt } from './backend/cmux-backend.ts';
export { type CmuxBackendOptions, DEFAULT_PANE_LAUNCH_TIMEOUT_MS } from './backend/options.ts';
export { type AddressSources, addressText, type CmuxAddress, givenAddress, parseAddress } from './client/address.ts';
export {
  type CmuxClient,
  type CmuxClientOptions,
  type CmuxParams,
  type CmuxResult,
  createCmuxClient,
  DEFAULT_REQUEST_TIMEOUT_MS,
} from './client/cmux-client.ts';
export { type RelayCredentials, relayCredentials } from './client/relay-auth.ts';
export { quoteWord, v1Line } from './client/v1-line.ts';
export { CmuxError, CmuxErrorCode, type CmuxErrorFields, isCmuxError } from './errors.ts';
export { PANE_ENVIRONMENT, type PaneProgram } from './panes/launcher.ts';
export { type PaneDocument, paneDocumentCodec, paneDocumentPath, readPane } from './panes/pane-document.ts';
export { type RelayedEvent, type SidebarPlace, SidebarRelay } from './sidebar/relay.ts';
export { type CmuxSurroundings, type Examination, examineCmux, signsIn } from './standing/examine.ts';
export type { Caller } from './standing/identity.ts';
export { type ProbedReply, probeCmux, shapeOf } from './standing/probe.ts';
export {
  type ContactOutcome,
  decideStanding,
  type EnvironmentSigns,
  type Standing,
  StandingKind,
} from './standing/standing.ts';
export { type CmuxVersion, isSupported, OLDEST_SUPPORTED, parseVersion, versionText } from './standing/version.ts';
