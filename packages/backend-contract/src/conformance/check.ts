/** What one check found. */
export interface ConformanceResult {
  readonly name: string;
  readonly holds: boolean;
  /** What was seen instead; where it holds, what was seen. */
  readonly why: string;
}

/** One promise of a backend, tried on the real thing. Never rejects; leaves neither files nor workers behind. */
export interface ConformanceCheck {
  /** The promise (`B1` … `B6`) and what is tried of it. */
  readonly name: string;
  run(): Promise<ConformanceResult>;
}
