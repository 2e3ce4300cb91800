import { BackendKind } from '@bailiwick/dispatch-state';
import { workerIdField } from '@bailiwick/execution-identity/schema';
import { z } from 'zod';

/** A jobs file, version 1.0. */
export const JobsFileV1 = z.strictObject({
  $schema: z.string().optional(),
  schemaVersion: z.literal('1.0'),
  jobs: z
    .array(
      z.strictObject({
        promptPath: z.string().min(1),
        backend: z.enum(BackendKind).optional(),
        workerId: workerIdField.optional(),
      }),
    )
    .min(1),
});
