/** Version of every document that a command prints with `--json`. */
export const DOCUMENT_VERSION = '1.0';
