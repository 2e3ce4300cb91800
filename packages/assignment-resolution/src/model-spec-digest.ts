import { type Digest, digestOfDocument } from '@bailiwick/durable-files';
import type { Binding, ModelPoolEntry } from './model.ts';

/**
 * The digest of a model's specification with the binding that was chosen for it (ID-9), over canonical JSON: key order
 * and whitespace never change it, any field does. The entry's other bindings, for other hosts, aren't part of it.
 */
export function modelSpecDigest(entry: ModelPoolEntry, binding: Binding): Digest {
  const { bindings: _, ...specification } = entry;
  return digestOfDocument({ specification, binding });
}
