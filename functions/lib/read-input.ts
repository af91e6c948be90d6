import type { Route } from "@vitaline/contract";
import { AppError, notFound } from "@vitaline/core";
import * as z from "zod/mini";
import type { HttpEvent } from "./event.ts";

const usualBodyBytes = 1024 * 1024;
const jsonType = /^application\/([\w.+-]+\+)?json\s*(;|$)/i;

type Issue = z.core.$ZodIssue;

const oneOf = (values: readonly unknown[]): string => `Must be ${values.length > 1 ? "one of " : ""}${values.join(", ")}`;

/** What the alternatives want, blank aside, which forms send for nothing. */
const wordsForUnion = ({ errors, options }: Extract<Issue, { code: "invalid_union" }> & { options?: readonly unknown[] }): string => {
  if (options) return oneOf(options);
  const wanted = errors.flat().filter((issue) => !(issue.code === "invalid_value" && issue.values.join("") === ""));
  const [first, ...others] = new Set(wanted.map(wordsFor));
  return first !== undefined && others.length === 0 ? first : "Is not of a form that is taken here";
};

/** Our schemas say most things in words of their own; for the rest, what a person can act on. */
const wordsFor = (issue: Issue): string => {
  if (issue.message !== "Invalid input") return issue.message;
  if (issue.code === "invalid_value") return oneOf(issue.values);
  if (issue.code === "invalid_union") return wordsForUnion(issue);
  if (issue.code === "too_small") return `Must be at least ${issue.minimum}`;
  if (issue.code === "too_big") return `Must be at most ${issue.maximum}`;
  if (issue.code !== "invalid_type") return "Is not of a form that is taken here";
  return issue.expected === "nonoptional" ? "Is required" : `Must be ${/^[aeio]/.test(issue.expected) ? "an" : "a"} ${issue.expected}`;
};

/** Path of each wrong field → what is wrong with it. */
const fieldsOf = ({ issues }: z.core.$ZodError): Record<string, string> =>
  Object.fromEntries(
    issues.flatMap((issue) =>
      issue.code === "unrecognized_keys"
        ? issue.keys.map((key) => [[...issue.path, key].join(".").slice(0, 100), "Is not a field of this request"])
        : [[issue.path.join(".") || "body", wordsFor(issue)]],
    ),
  );

const parse = (schema: z.ZodMiniType | undefined, value: unknown, where: string): unknown => {
  if (!schema) return undefined;
  const { success, data, error } = z.safeParse(schema, value);
  if (success) return data;
  const fields = fieldsOf(error);
  const [first, ...others] = new Set(Object.values(fields));
  throw new AppError(
    "invalid_request",
    first && others.length === 0 && isSentence(first, error) ? first : `The ${where} is not what this address takes.`,
    { fields },
  );
};

/** Our schemas' own words stand alone as an answer ("Office name is required"); "Is required" does not. */
const isSentence = (message: string, { issues }: z.core.$ZodError): boolean =>
  issues.some((issue) => issue.message === message) && message.split(" ").length > 2;

const readJson = (event: HttpEvent, limitBytes: number): unknown => {
  const raw = Buffer.from(event.body ?? "", event.isBase64Encoded ? "base64" : "utf8");
  if (raw.length > limitBytes) throw new AppError("payload_too_large", `The body is larger than ${Math.floor(limitBytes / 1024)} KiB.`);
  if (raw.length === 0) return {};
  if (!jsonType.test(event.headers["content-type"] ?? ""))
    throw new AppError("unsupported_media_type", "The body must be JSON with Content-Type: application/json.");
  try {
    return JSON.parse(raw.toString("utf8"));
  } catch (cause) {
    throw new AppError("invalid_json", "The body is not valid JSON.", { cause });
  }
};

/** The version in `If-Match: "3"`. A list of several, or what is no version of ours, matches nothing (RFC 9110, 13.1.1). */
const versionIn = (header: string | undefined): number | undefined => {
  if (header === undefined || header.trim() === "*") return undefined;
  const [, version] = /^(?:W\/)?"(\d{1,9})"$/.exec(header.trim()) ?? [];
  return version === undefined ? -1 : Number(version);
};

/** Path, query and body of a request, parsed by its route. A malformed id in the path names nothing: 404. */
export function readInput(route: Route, event: HttpEvent): { params: unknown; query: unknown; body: unknown; ifMatch: number | undefined } {
  const params = route.params && z.safeParse(route.params, event.pathParameters ?? {});
  if (params && !params.success) throw notFound();
  return {
    params: params?.data,
    query: parse(route.query, event.queryStringParameters ?? {}, "query"),
    body: route.body ? parse(route.body, readJson(event, route.maxBodyBytes ?? usualBodyBytes), "body") : undefined,
    ifMatch: versionIn(event.headers["if-match"]),
  };
}
