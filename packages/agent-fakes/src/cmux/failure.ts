/** A request that is answered by an error. */
export class RpcFailure extends Error {
  readonly code: string;
  readonly data: Readonly<Record<string, unknown>> | undefined;

  constructor(code: string, message: string, data?: Readonly<Record<string, unknown>>) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** What a text of the app reads like where it speaks another language. */
export function localised(message: string): string {
  if (/access denied/i.test(message)) return 'Zugriff verweigert – nur Prozesse, die in cmux gestartet wurden';
  return `Vorgang nicht möglich (${message.length})`;
}
