import type { SerializedBundle } from '@sigstore/bundle';
import type { Seal } from '../model.ts';

/**
 * A signed seal as a Sigstore bundle (v0.3, public key, no log entry), for tools that take nothing else; null for an unsigned seal.
 * Such a tool checks the one signature, and neither chain nor files.
 */
export async function sigstoreBundleOf({ envelope }: Seal): Promise<SerializedBundle | null> {
  const [signature] = envelope.signatures;
  if (signature === undefined) return null;
  const { bundleToJSON, toDSSEBundle } = await import('@sigstore/bundle');
  return bundleToJSON(
    toDSSEBundle({
      artifact: Buffer.from(envelope.payload, 'base64'),
      artifactType: envelope.payloadType,
      signature: Buffer.from(signature.sig, 'base64'),
      keyHint: signature.keyid,
    }),
  );
}
