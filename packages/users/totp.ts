import { randomBytes } from "node:crypto";
import { seal, unseal } from "@vitaline/aws";
import type { TotpEnrolment } from "@vitaline/contract";
import { AppError, sha256In } from "@vitaline/core";
import type { UserRow } from "@vitaline/store";
import type { AccountContext } from "@vitaline/store/scoped.ts";
import { Secret, TOTP } from "otpauth";
import { readUser } from "./account.ts";
import { saveUser } from "./save.ts";

const periodSeconds = 30;
/** RFC 6238 with the parameters that every authenticator supports. */
const authenticator = (email: string, secret: string): TOTP =>
  new TOTP({ issuer: "Vitaline", label: email, algorithm: "SHA1", digits: 6, period: periodSeconds, secret: Secret.fromBase32(secret) });

/** 160 bits, sealed for this user. */
async function newTotp({ id, email }: UserRow): Promise<{ secret: string; otpauthUri: string; sealed: string }> {
  const secret = new Secret({ size: 20 }).base32;
  return { secret, otpauthUri: authenticator(email, secret).toString(), sealed: await seal("totp", id, secret) };
}

/** The matching time step, within one step of `now`; undefined for a wrong code. */
export async function totpStepOf({ id, email, totp }: UserRow, code: string, now: Date): Promise<number | undefined> {
  const token = code.replaceAll(" ", "");
  if (!totp || !/^\d{6}$/.test(token)) return undefined;
  const timestamp = now.getTime();
  const delta = authenticator(email, await unseal("totp", id, totp.sealed)).validate({ token, timestamp, window: 1 });
  return delta === null ? undefined : TOTP.counter({ period: periodSeconds, timestamp }) + delta;
}

const alphabet = "abcdefghjkmnpqrstuvwxyz23456789";
const groups = 4;
const groupLength = 4;
const plain = (code: string): string => code.toLowerCase().replaceAll(/[^a-z0-9]/g, "");

/** 16 of 31 characters: 79 bits, so a plain hash is enough. */
const newCode = (): string => {
  const characters: string[] = [];
  while (characters.length < groups * groupLength)
    // Larger bytes would favor the first characters.
    characters.push(...[...randomBytes(32)].filter((byte) => byte < 248).map((byte) => alphabet[byte % alphabet.length] as string));
  return Array.from({ length: groups }, (_, group) => characters.slice(group * groupLength, (group + 1) * groupLength).join("")).join("-");
};

/** 96 bits, so that ten hashes keep a user's row below a kilobyte. */
const hashOf = (userId: string, code: string): string =>
  Buffer.from(sha256In("recovery-code", userId, plain(code)), "hex")
    .subarray(0, 12)
    .toString("base64url");

function newRecoveryCodes(userId: string): { codes: string[]; hashes: string[] } {
  const codes = Array.from({ length: 10 }, newCode);
  return { codes, hashes: codes.map((code) => hashOf(userId, code)) };
}

/** The remaining hashes; undefined for an unknown code. */
export function remainingRecoveryCodes({ id, totp }: UserRow, code: string): string[] | undefined {
  const used = hashOf(id, code);
  return totp?.recovery.includes(used) ? totp.recovery.filter((hash) => hash !== used) : undefined;
}

export const wrongTotpCode = () =>
  new AppError("invalid_request", "This code is not correct. Please enter the current code from your authenticator app.", {
    fields: { code: "Is not correct" },
  });
const alreadyEnabled = () => new AppError("not_doable", "Two-factor sign-in is already on. Please turn it off first.");

/** The secret is active after confirmTotp. AppError `not_doable` if a second factor is on. */
export async function enrollTotp(ctx: AccountContext, userId: string): Promise<TotpEnrolment> {
  const { user } = await readUser(ctx, userId);
  if (user.totp?.confirmedAt) throw alreadyEnabled();
  const { secret, otpauthUri, sealed } = await newTotp(user);
  const offered = { ...user, totp: { sealed, recovery: [] } };
  await saveUser(ctx, user, offered, { action: "user.enrollTotp" });
  return { secret, otpauthUri };
}

/** Turns the second factor on and returns ten recovery codes. AppError `invalid_request` for a wrong code. */
export async function confirmTotp(ctx: AccountContext, userId: string, code: string): Promise<string[]> {
  const { user } = await readUser(ctx, userId);
  if (!user.totp) throw new AppError("not_doable", "Please start setting up two-factor sign-in first.");
  if (user.totp.confirmedAt) throw alreadyEnabled();
  const totpStep = await totpStepOf(user, code, ctx.clock());
  if (totpStep === undefined) throw wrongTotpCode();
  const { codes, hashes } = newRecoveryCodes(userId);
  const totp = { ...user.totp, confirmedAt: ctx.clock().toISOString(), recovery: hashes };
  await saveUser(ctx, user, { ...user, totp }, { action: "user.confirmTotp", totpStep });
  return codes;
}
