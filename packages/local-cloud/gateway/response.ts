import * as z from "zod/mini";
import type { HttpResponse } from "../lib/message.ts";

const Structured = z.looseObject({
  statusCode: z.int(),
  headers: z.optional(z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))),
  cookies: z.optional(z.array(z.string())),
  body: z.optional(z.string()),
  isBase64Encoded: z.optional(z.boolean()),
});

/**
 * Undefined for a malformed result (502). Without a statusCode the result itself is the JSON body. Source: "Lambda function response for
 * format 2.0".
 */
export function responseOf(payload: string): HttpResponse | undefined {
  const result: unknown = JSON.parse(payload);
  if (typeof result !== "object" || result === null || !("statusCode" in result)) {
    return {
      status: 200,
      headers: [["content-type", "application/json"]],
      body: Buffer.from(typeof result === "string" ? result : payload),
    };
  }
  const { success, data } = z.safeParse(Structured, result);
  if (!success) return undefined;
  const headers = Object.entries(data.headers ?? {}).map(([name, value]): [string, string] => [name.toLowerCase(), String(value)]);
  if (!headers.some(([name]) => name === "content-type")) headers.push(["content-type", "text/plain;charset=UTF-8"]);
  for (const cookie of data.cookies ?? []) headers.push(["set-cookie", cookie]);
  return { status: data.statusCode, headers, body: Buffer.from(data.body ?? "", data.isBase64Encoded ? "base64" : "utf8") };
}
