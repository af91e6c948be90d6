/** What a log line may carry: ids, codes, names of our own things, counts. There is no field for text, so none can leak. */
export type LogFields = {
  requestId?: string;
  functionName?: string;
  route?: string;
  status?: number;
  code?: string;
  errorName?: string;
  tenantId?: string;
  officeId?: string;
  userId?: string;
  keyId?: string;
  providerId?: string;
  callKey?: string;
  tool?: string;
  platform?: string;
  entity?: string;
  operation?: string;
  attempt?: number;
  count?: number;
  bytes?: number;
  ms?: number;
  delayMs?: number;
  httpStatus?: number;
};

export type Level = "info" | "warn" | "error";
export type Log = (level: Level, event: string, fields?: LogFields) => void;

// Values are ids and codes; a longer or odder string is somebody's text and is left out.
const plain = /^[\w.:/{}$@ -]{0,120}$/;
const clean = (value: string | number): string | number => (typeof value === "number" || plain.test(value) ? value : "[removed]");

/** One JSON line to standard output, which Lambda ships to CloudWatch. */
export const log: Log = (level, event, fields = {}) => {
  const kept = Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, clean(value)]]));
  process.stdout.write(`${JSON.stringify({ at: new Date().toISOString(), level, event, ...Object.fromEntries(kept) })}\n`);
};

/** A log that adds the same fields to every line. */
export const logWith =
  (outer: Log, fixed: LogFields): Log =>
  (level, event, fields) =>
    outer(level, event, { ...fixed, ...fields });

/** What may be said of an unexpected error: its kind and our own code, never its message. */
export const errorFields = (error: unknown): LogFields => {
  if (!(error instanceof Error)) return { errorName: typeof error };
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
  return { errorName: error.name, code };
};
