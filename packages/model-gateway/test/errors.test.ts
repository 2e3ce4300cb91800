import { expect, it } from 'vitest';
import { GatewayError, isGatewayError, ModelFormat, RefusalCode } from '../src/index.ts';

it('pins the codes of refusals and the formats', () => {
  expect(Object.values(RefusalCode)).toEqual([
    'ATTEMPT_UNKNOWN',
    'PATH_UNKNOWN',
    'MODEL_REFUSED',
    'REQUEST_TOO_LARGE',
    'UPSTREAM_UNREACHABLE',
  ]);
  expect(Object.values(ModelFormat)).toEqual([
    'openai-responses',
    'openai-chat',
    'anthropic-messages',
    'google-generate-content',
  ]);
});

it('recognises an error of another installed copy, and passes its cause', () => {
  const cause = new Error('taken');
  const error = new GatewayError('GATEWAY_UNAVAILABLE', 'no port', { cause });
  const copy = Object.defineProperty({}, Symbol.for('@bailiwick/model-gateway/GatewayError'), { value: true });
  expect([isGatewayError(error), error.cause, isGatewayError(copy), copy instanceof GatewayError]).toEqual([
    true,
    cause,
    true,
    true,
  ]);
  expect(isGatewayError(new Error('GATEWAY_UNAVAILABLE'))).toBe(false);
});
