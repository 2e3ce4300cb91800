/** HTTP statuses of a model server after which the same request may succeed. 529 is Anthropic's "overloaded". */
const TRANSIENT_STATUSES: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504, 522, 524, 529]);

const LASTING =
  /insufficient[_ ]quota|exceeded your current quota|usage limit|credit balance|billing|payment required|context (?:window|length)|context_length|too (?:large|long)|maximum context|invalid[_ ]api[_ ]key|unauthori[sz]ed|forbidden|model (?:not found|does not exist)|model_not_found|not logged in/i;

const PASSING =
  /rate.?limit|too many requests|overloaded|temporarily unavailable|service unavailable|bad gateway|gateway time-?out|internal server error|high demand|capacity|ECONNRESET|ECONNREFUSED|ECONNABORTED|ETIMEDOUT|EPIPE|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|socket hang up|fetch failed|terminated$|connection (?:error|reset|refused|closed|lost|failed)|connection was (?:reset|closed|lost)|network error|stream (?:disconnected|closed|ended|error)|premature close|timed? ?out|timeout|reconnecting|error sending request/i;

const STATUS =
  /(?:status(?: code)?|http(?:\/[\d.]+)?|error(?: code)?|code)["']?[\s:=([]{0,4}(\d{3})\b|^\W{0,3}(\d{3})\b|\b(\d{3}) status code/i;

/** Whether a failure may pass by itself; the status decides where there is one. */
export function isTransientFailure(message: string, status?: number): boolean {
  if (LASTING.test(message)) return false;
  const known = status ?? statusIn(message);
  if (known !== undefined && known >= 400 && known <= 599) return TRANSIENT_STATUSES.has(known);
  return PASSING.test(message);
}

function statusIn(message: string): number | undefined {
  const found = STATUS.exec(message.slice(0, 2_000));
  const digits = found?.[1] ?? found?.[2] ?? found?.[3];
  return digits === undefined ? undefined : Number(digits);
}
