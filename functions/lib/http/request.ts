import * as z from "zod/mini";
import { timingSafeEqual } from "node:crypto";
import type { Route } from "@vitaline/contract";
import { AppError, envReader, notFound, secretValues, sha256In } from "@vitaline/core";

/** An event of API Gateway, HTTP API payload format 2.0. */
export type HttpEvent = {
  /** "GET /api/auth/me" or "$default". */
  routeKey: string;
  rawPath: string;
  rawQueryString: string;
  /** Lower-case names; repeated headers joined by commas. */
  headers: Record<string, string | undefined>;
  /** "name=value"; `headers` does not contain them. */
  cookies?: readonly string[];
  pathParameters?: Record<string, string | undefined>;
  queryStringParameters?: Record<string, string | undefined>;
  body?: string;
  isBase64Encoded: boolean;
  requestContext: { domainName: string; http: { method: string; sourceIp: string } };
};

export type HttpAnswer = { statusCode: number; headers: Record<string, string>; body: string };

const env = envReader(z.object({ PUBLIC_ORIGIN: z.optional(z.url()) }));

const isEqual = (a: string, b: string): boolean => timingSafeEqual(Buffer.from(sha256In("edge", a)), Buffer.from(sha256In("edge", b)));

/** Whether the request came through CloudFront, which sends the edge secret. Only then can its forwarding headers be trusted. */
export const cameThroughEdge = ({ headers }: HttpEvent): boolean => {
  const presented = headers["x-vitaline-edge"];
  return (
    presented !== undefined &&
    secretValues("edge")
      .map((value) => isEqual(presented, value))
      .includes(true)
  );
};

/** The credential of an `Authorization: Bearer` header. */
export const bearer = (event: HttpEvent): string | undefined => /^Bearer +(\S+) *$/i.exec(event.headers["authorization"] ?? "")?.[1];

const loopback = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

/** The client's address and the public origin, from CloudFront's headers or from API Gateway. */
export const clientOf = (event: HttpEvent, throughEdge: boolean): { clientAddress: string; origin: string } => {
  const { sourceIp } = event.requestContext.http;
  const host = (throughEdge && event.headers["x-vitaline-host"]) || event.requestContext.domainName;
  return {
    clientAddress: (throughEdge && event.headers["x-vitaline-viewer"]) || sourceIp,
    origin: env().PUBLIC_ORIGIN ?? `${loopback.test(host) ? "http" : "https"}://${host}`,
  };
};

const defaultBodyBytes = 1024 * 1024;
const jsonType = /^application\/([\w.+-]+\+)?json\s*(;|$)/i;

type Issue = z.core.$ZodIssue;

const oneOf = (values: readonly unknown[]): string => `Must be ${values.length > 1 ? "one of " : ""}${values.join(", ")}`;

/** Ignores the empty-string alternative, which forms send for empty fields. */
const unionMessage = ({ errors, options }: Extract<Issue, { code: "invalid_union" }> & { options?: readonly unknown[] }): string => {
  if (options) return oneOf(options);
  const wanted = errors.flat().filter((issue) => !(issue.code === "invalid_value" && issue.values.join("") === ""));
  const [first, ...others] = new Set(wanted.map(messageFor));
  return first !== undefined && others.length === 0 ? first : "Has an invalid format";
};

/** Replaces the default messages of zod, keeping those of our schemas. */
const messageFor = (issue: Issue): string => {
  if (issue.message !== "Invalid input") return issue.message;
  if (issue.code === "invalid_value") return oneOf(issue.values);
  if (issue.code === "invalid_union") return unionMessage(issue);
  if (issue.code === "too_small") return `Must be at least ${issue.minimum}`;
  if (issue.code === "too_big") return `Must be at most ${issue.maximum}`;
  if (issue.code !== "invalid_type") return "Has an invalid format";
  return issue.expected === "nonoptional" ? "Is required" : `Must be ${/^[aeio]/.test(issue.expected) ? "an" : "a"} ${issue.expected}`;
};

/** Path of each invalid field → message. */
const fieldErrors = ({ issues }: z.core.$ZodError): Record<string, string> =>
  Object.fromEntries(
    issues.flatMap((issue) =>
      issue.code === "unrecognized_keys"
        ? issue.keys.map((key) => [[...issue.path, key].join(".").slice(0, 100), "Is not a field of this request"])
        : [[issue.path.join(".") || "body", messageFor(issue)]],
    ),
  );

const parse = (schema: z.ZodMiniType | undefined, value: unknown, where: string): unknown => {
  if (!schema) return undefined;
  const { success, data, error } = z.safeParse(schema, value);
  if (success) return data;
  const fields = fieldErrors(error);
  const [first, ...others] = new Set(Object.values(fields));
  throw new AppError("invalid_request", first && others.length === 0 && isSentence(first, error) ? first : `The ${where} is invalid.`, {
    fields,
  });
};

/** Messages of our schemas are full sentences ("Office name is required"); "Is required" is not. */
const isSentence = (message: string, { issues }: z.core.$ZodError): boolean =>
  issues.some((issue) => issue.message === message) && message.split(" ").length > 2;

const readJson = (event: HttpEvent, { maxBodyBytes: limitBytes = defaultBodyBytes, jsonRpc }: Route): unknown => {
  const raw = Buffer.from(event.body ?? "", event.isBase64Encoded ? "base64" : "utf8");
  if (raw.length > limitBytes) throw new AppError("payload_too_large", `The body is larger than ${Math.floor(limitBytes / 1024)} KiB.`);
  if (raw.length === 0 && !jsonRpc) return {};
  if (!jsonType.test(event.headers["content-type"] ?? ""))
    throw new AppError("unsupported_media_type", "The body must be JSON with Content-Type: application/json.");
  try {
    return JSON.parse(raw.toString("utf8"));
  } catch (cause) {
    throw new AppError("invalid_json", "The body is not valid JSON.", { cause });
  }
};

/** The version in `If-Match: "3"`. Lists and foreign tags match nothing (RFC 9110, 13.1.1). */
const parseIfMatch = (header: string | undefined): number | undefined => {
  if (header === undefined || header.trim() === "*") return undefined;
  const [, version] = /^(?:W\/)?"(\d{1,9})"$/.exec(header.trim()) ?? [];
  return version === undefined ? -1 : Number(version);
};

/** Path, query and body of a request, parsed by its route. AppError `not_found` for a malformed path, `invalid_request` otherwise. */
export function readInput(route: Route, event: HttpEvent): { params: unknown; query: unknown; body: unknown; ifMatch: number | undefined } {
  const params = route.params && z.safeParse(route.params, event.pathParameters ?? {});
  if (params && !params.success) throw notFound();
  return {
    params: params?.data,
    query: parse(route.query, event.queryStringParameters ?? {}, "query"),
    body: route.body ? parse(route.body, readJson(event, route), "body") : undefined,
    ifMatch: parseIfMatch(event.headers["if-match"]),
  };
}
