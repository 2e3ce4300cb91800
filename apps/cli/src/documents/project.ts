import { StandingKind } from '@bailiwick/backend-cmux';
import { ConfigV1 } from '@bailiwick/run-workflow/schema';
import { z } from 'zod';
import { SHELLS } from '../completion/shell-scripts.ts';
import { AbsolutePath, document } from './document.ts';

export const InitDocument = document({ path: AbsolutePath, config: ConfigV1 });

export const DoctorDocument = document({
  holds: z.boolean(),
  findings: z.array(
    z.strictObject({
      check: z.string().min(1),
      level: z.enum(['ok', 'warn', 'fail']),
      message: z.string(),
      advice: z.string(),
    }),
  ),
});

export const CompletionDocument = document({ shell: z.enum(SHELLS), script: z.string().min(1) });

export const CmuxProbeDocument = document({
  standing: z.enum(StandingKind),
  reason: z.string(),
  advice: z.string(),
  version: z.string().nullable(),
  replies: z.array(z.strictObject({ method: z.string(), outcome: z.string(), shape: z.unknown() })),
});
