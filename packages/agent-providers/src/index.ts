export { type CustomDeclaration, customProvider } from './custom/provider.ts';
export { isProviderError, ProviderError, type ProviderErrorCode, type ProviderErrorDetails } from './errors.ts';
export type {
  AgentExit,
  AgentObservation,
  AgentStreamReader,
  AgentTurn,
  EndVerdict,
  OutputChannel,
  Usage,
} from './observation.ts';
export type {
  AgentCommand,
  AgentCommandRequest,
  AgentProvider,
  AgentTranscript,
  BoundaryPrecision,
  FilePattern,
  HomeFile,
  ModelEndpoint,
  SandboxedRequest,
  TranscriptReader,
  WireDialect,
} from './provider.ts';
export { checkPromptSize, findProvider, providers, unsupportedProviders } from './registry.ts';
export { createLineSplitter, type LineSplitter, MAX_LINE_BYTES, type StreamLine } from './stream/split-lines.ts';
