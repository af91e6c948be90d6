import type { Route } from "@vitaline/contract";
import { AppError, notFound } from "@vitaline/core";
import * as z from "zod/mini";
import type { HttpEvent } from "./event.ts";

const usualBodyBytes = 1024 * 1024;
const jsonType = /^application\/([\w.+-]+\+)?json\s*(;|$)/i;

/** Path of each wrong field → what is wrong with it. */
const fieldsOf = ({ issues }: z.core.$ZodError): Record<string, string> =>
  Object.fromEntries(
    issues.flatMap((issue) =>
      issue.code === "unrecognized_keys"
        ? issue.keys.map((key) => [[...issue.path, key].join(".").slice(0, 100), "Is not a field of this request"])
        : [[issue.path.join(".") || "body", issue.message]],
    ),
  );

const parse = (schema: z.ZodMiniType | undefined, value: unknown, where: string): unknown => {
  if (!schema) return undefined;
  const { success, data, error } = z.safeParse(schema, value);
  if (success) return data;
  const fields = fieldsOf(error);
  const [first] = Object.values(fields);
  throw new AppError(
    "invalid_request",
    first && Object.keys(fields).length === 1 && isSentence(first) ? first : `The ${where} is not what this address takes.`,
    { fields },
  );
};

/** Our own messages stand alone as an answer ("Office name is required"); zod's ("Invalid input: …") do not. */
const isSentence = (message: string): boolean => !message.startsWith("Invalid ") && message.split(" ").length > 2;

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

/** Path, query and body of a request, parsed by its route. A malformed id in the path names nothing: 404. */
export function readInput(route: Route, event: HttpEvent): { params: unknown; query: unknown; body: unknown } {
  const params = route.params && z.safeParse(route.params, event.pathParameters ?? {});
  if (params && !params.success) throw notFound();
  return {
    params: params?.data,
    query: parse(route.query, event.queryStringParameters ?? {}, "query"),
    body: route.body ? parse(route.body, readJson(event, route.maxBodyBytes ?? usualBodyBytes), "body") : undefined,
  };
}
