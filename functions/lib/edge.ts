import { timingSafeEqual } from "node:crypto";
import { digest, envReader } from "@vitaline/core";
import * as z from "zod/mini";
import type { HttpEvent } from "./event.ts";

const env = envReader(z.object({ EDGE_SECRET: z.string().check(z.minLength(16)), PUBLIC_ORIGIN: z.optional(z.url()) }));

const same = (a: string, b: string): boolean => timingSafeEqual(Buffer.from(digest("edge", a)), Buffer.from(digest("edge", b)));

/** Whether the request came through CloudFront, which alone knows the secret. Only then are its other headers believed. */
export const cameThroughEdge = ({ headers }: HttpEvent): boolean => {
  const presented = headers["x-vitaline-edge"];
  return presented !== undefined && same(presented, env().EDGE_SECRET);
};

const loopback = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

/** The caller's address and our public origin: from CloudFront, else as API Gateway saw them. */
export const whereFrom = (event: HttpEvent, throughEdge: boolean): { clientAddress: string; origin: string } => {
  const { sourceIp } = event.requestContext.http;
  const host = (throughEdge && event.headers["x-vitaline-host"]) || event.requestContext.domainName;
  return {
    clientAddress: (throughEdge && event.headers["x-vitaline-viewer"]) || sourceIp,
    origin: env().PUBLIC_ORIGIN ?? `${loopback.test(host) ? "http" : "https"}://${host}`,
  };
};
