export { GatewayError, type GatewayErrorCode, type GatewayErrorDetails, isGatewayError } from './errors.ts';
export { openGateway } from './gateway.ts';
export {
  type AttemptRoute,
  type GatewayAttempt,
  type GatewayEvent,
  type GatewayTurn,
  ModelFormat,
  type ModelGateway,
  type ModelRule,
  RefusalCode,
  type TurnUsage,
  type UpstreamKey,
} from './model.ts';
