/** Flags that every command takes. */
export interface CommonFlags {
  readonly project?: string;
  readonly run?: string;
  readonly json?: boolean;
  readonly verbose?: boolean;
  readonly quiet?: boolean;
  readonly ownWorkspace?: boolean;
}
