import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { AppError, secretFor } from "@vitaline/core";

const key = (): Buffer => secretFor("cursor");
const nonceBytes = 12;
const tagBytes = 16;

/** AppError `invalid_request` for an invalid cursor. */
export const cursorRefused = (): AppError =>
  new AppError("invalid_request", "This page link is not valid here. Please start from the first page.", {
    fields: { cursor: "Is not valid" },
  });

/** Encrypts a page position; only the same partition accepts it. */
export const sealCursor = (partition: string, position: Record<string, unknown>): string => {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv("aes-256-gcm", key(), nonce).setAAD(Buffer.from(partition));
  const sealed = Buffer.concat([cipher.update(JSON.stringify(position)), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64url");
};

/** The position in a cursor; AppError `invalid_request` when it was altered or is of another partition. */
export const openCursor = (partition: string, cursor: string): Record<string, unknown> => {
  const bytes = Buffer.from(cursor, "base64url");
  if (bytes.length <= nonceBytes + tagBytes || bytes.toString("base64url") !== cursor) throw cursorRefused();
  const decipher = createDecipheriv("aes-256-gcm", key(), bytes.subarray(0, nonceBytes)).setAAD(Buffer.from(partition));
  decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
  try {
    const position = Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]).toString();
    return JSON.parse(position) as Record<string, unknown>;
  } catch {
    throw cursorRefused();
  }
};
