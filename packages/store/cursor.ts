import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { AppError, envReader } from "@vitaline/core";
import * as z from "zod/mini";

const environment = envReader(z.object({ EDGE_SECRET: z.string().check(z.minLength(16)) }));

const mac = (partition: string, position: string): Buffer => {
  const key = Buffer.from(hkdfSync("sha256", environment().EDGE_SECRET, "", "vitaline/cursor", 32));
  return createHmac("sha256", key).update(`${partition.length}:${partition}${position}`).digest().subarray(0, 16);
};

const refused = () =>
  new AppError("invalid_request", "This page link is not valid here. Please start from the first page.", {
    fields: { cursor: "Is not valid" },
  });

/** A page position that only this list of this tenant accepts back. */
export const sealCursor = (partition: string, position: Record<string, unknown>): string => {
  const body = Buffer.from(JSON.stringify(position)).toString("base64url");
  return `${body}.${mac(partition, body).toString("base64url")}`;
};

/** The position in a cursor; AppError `invalid_request` when it was altered or belongs to another list. */
export const openCursor = (partition: string, cursor: string): Record<string, unknown> => {
  const [body = "", proof = ""] = cursor.split(".");
  const given = Buffer.from(proof, "base64url");
  const wanted = mac(partition, body);
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) throw refused();
  return JSON.parse(Buffer.from(body, "base64url").toString()) as Record<string, unknown>;
};
