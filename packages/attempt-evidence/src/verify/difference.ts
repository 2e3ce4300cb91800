/** What verifying can find, as a closed set. */
export const SealDifferenceCode = {
  /** The file holds no seal, or not byte for byte the one that was written. */
  sealDamaged: 'seal-damaged',
  /** A seal that record, head or chain names isn't there. */
  sealMissing: 'seal-missing',
  /** A seal under another name than its own. */
  sealMisplaced: 'seal-misplaced',
  /** A signature that isn't its key's over this statement, or that was taken away or added. */
  signatureBad: 'signature-bad',
  /** Signed with a key that the verifier wasn't given. */
  keyUnknown: 'key-unknown',
  /** Not signed, as the seal itself says, and the verifier doesn't accept that. */
  unsigned: 'unsigned',
  /** The seal isn't the one that its neighbour in the chain names, or its place is taken twice. */
  chainBroken: 'chain-broken',
  /** The head is missing, damaged, or not the last seal. */
  headDiffers: 'head-differs',
  /** A digest that was noted elsewhere is not in the chain: seals were replaced or cut off. */
  anchorMissing: 'anchor-missing',
  /** A sealed file isn't there. */
  fileMissing: 'file-missing',
  /** A sealed file has other bytes, or is there where nothing was. */
  fileDiffers: 'file-differs',
  /** A sealed file can't be read, or isn't a regular file of this run any more. */
  fileUnreadable: 'file-unreadable',
  /** The record says something else of the attempt than its seal. */
  statementDiffers: 'statement-differs',
  /** The record says that the attempt could not be sealed, and why. */
  attemptUnsealed: 'attempt-unsealed',
  /** The attempt has a seal, and its record isn't terminal: its settlement was cut off. */
  attemptUnsettled: 'attempt-unsettled',
  /** A file among the seals that is none. */
  unexpectedFile: 'unexpected-file',
} as const;
export type SealDifferenceCode = (typeof SealDifferenceCode)[keyof typeof SealDifferenceCode];

/** One thing that isn't as it was sealed. */
export interface SealDifference {
  readonly code: SealDifferenceCode;
  /** The file it is about, relative to the run's folder. */
  readonly file: string;
  readonly message: string;
  /** The seal that says so, where it is about another file. */
  readonly sealKey?: string;
  /** What the seal or the chain says. */
  readonly expected?: string;
  /** What is there. */
  readonly found?: string;
  /** JSON pointers into the attempt's facts, where these differ. */
  readonly fields?: readonly string[];
}
