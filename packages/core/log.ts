import { embeddedMetrics } from "./metrics.ts";

/** The only fields of a log line: ids, codes, names and counts. No field takes free text, so no patient data can leak. */
export type LogFields = {
  requestId?: string;
  functionName?: string;
  functionVersion?: string;
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
  outcome?: string;
  /** 0 or 1. */
  failed?: number;
  channel?: string;
  ageSeconds?: number;
  days?: number | undefined;
};

export type Level = "info" | "warn" | "error";
export type Log = (level: Level, event: string, fields?: LogFields) => void;

// Any other string may be a person's text and is removed.
const plain = /^[\w.:/{}$@ -]{0,120}$/;
const clean = (value: string | number): string | number => (typeof value === "number" || plain.test(value) ? value : "[removed]");

/** Writes one JSON line to standard output, which Lambda sends to CloudWatch. */
export const log: Log = (level, event, fields = {}) => {
  const kept = Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, clean(value)]]));
  const now = new Date();
  const { AWS_LAMBDA_FUNCTION_NAME: functionName, AWS_LAMBDA_FUNCTION_VERSION: functionVersion } = process.env;
  const metrics = embeddedMetrics(event, fields, now, { functionName, functionVersion });
  process.stdout.write(`${JSON.stringify({ at: now.toISOString(), level, event, ...Object.fromEntries(kept), ...metrics })}\n`);
};

export const logWith =
  (outer: Log, fixed: LogFields): Log =>
  (level, event, fields) =>
    outer(level, event, { ...fixed, ...fields });

/** The loggable part of an unexpected error: its name and code, never its message. */
export const errorFields = (error: unknown): LogFields => {
  if (!(error instanceof Error)) return { errorName: typeof error };
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
  return { errorName: error.name, code };
};
