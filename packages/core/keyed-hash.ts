import { createHmac, hkdfSync } from "node:crypto";
import * as z from "zod/mini";
import { envReader } from "./env.ts";

const environment = envReader(z.object({ EDGE_SECRET: z.string().check(z.minLength(16)) }));

/** A key of 256 bits, made of the app secret for one purpose: what it does says nothing to whoever knows another's. */
export const secretFor = (purpose: string): Buffer =>
  Buffer.from(hkdfSync("sha256", environment().EDGE_SECRET, "", `vitaline/${purpose}`, 32));

/** A hash, base64url, that nobody can make without the app secret: for what is few enough to be guessed, and for what is to be ours. */
export const keyedHash = (purpose: string, parts: readonly (string | number)[]): string =>
  createHmac("sha256", secretFor(purpose)).update(JSON.stringify(parts)).digest("base64url");
