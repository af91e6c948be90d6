import { timingSafeEqual } from "node:crypto";
import { sha256In, envReader, secretValues } from "@vitaline/core";
import * as z from "zod/mini";

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
