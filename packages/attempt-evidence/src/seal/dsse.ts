import type { KeyObject } from 'node:crypto';
import type { SealEnvelope } from '../model.ts';

/** What is signed and how it is checked (DSSE 1.0), from @sigstore/core. */
export interface Dsse {
  /** The pre-authentication encoding of a payload. */
  readonly signedBytesOf: (payloadType: string, payload: Buffer) => Buffer;
  /** True where the envelope's one signature is that key's over its payload. */
  readonly isSignedBy: (envelope: SealEnvelope, publicKey: KeyObject) => boolean;
}

/** Loaded only where something is signed or checked: it takes longer to load than to seal with. */
export async function loadDsse(): Promise<Dsse> {
  const { crypto, dsse } = await import('@sigstore/core');
  return {
    signedBytesOf: (payloadType, payload) => dsse.preAuthEncoding(payloadType, payload),
    isSignedBy: ({ payloadType, payload, signatures: [signature] }, publicKey) => {
      if (signature === undefined) return false;
      const signed = dsse.preAuthEncoding(payloadType, Buffer.from(payload, 'base64'));
      return crypto.verify(signed, publicKey, Buffer.from(signature.sig, 'base64'));
    },
  };
}
