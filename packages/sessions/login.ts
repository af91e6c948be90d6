import type { Credentials, SignedIn } from "@vitaline/contract";
import { allDone, AppError, type ErrorCode, errorFields, isAppError, networkOf } from "@vitaline/core";
import { keys } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { type Account, isOpen, mailCodesGuessed, passwordMatches, readAccount } from "@vitaline/users";
import { byUser, openFor, shortUserAgent } from "./open.ts";
import { codeWanted, factorIn, recoveryUsed, type SecondFactor, signInEntry } from "./second-factor.ts";
import { clearAttempts, countFailure, countTaken, countWrongCode, nobody, refuseCodes, takeAttempt } from "./throttle.ts";

/** `userAgent` is the header as it came. */
export type PublicContext = PlatformContext & { userAgent?: string };

const refused = () => new AppError("invalid_credentials", "Email or password is not correct.");
const wrongCode = (cause?: unknown) => new AppError("invalid_credentials", "This code is not correct.", { cause });

const accountOf = async (ctx: PlatformContext, email: string): Promise<Account | undefined> => {
  const [claim] = await allDone([ctx.platform.get(keys.email(email)), ...takeAttempt(ctx, email)]);
  return readAccount(ctx, claim?.userId ?? nobody, claim?.tenantId);
};

/**
 * Signs a person in: three round trips to the table, one password hash whether or not the account exists.
 * AppError `invalid_credentials` for every reason to refuse, `too_many_requests` when guessing, `totp_required` when the
 * password was right and a second factor is on.
 */
export async function login(ctx: PublicContext, { email, password, totpCode }: Credentials): Promise<SignedIn> {
  const account = await accountOf(ctx, email);
  const matches = await passwordMatches(password, account?.user.passwordHash);
  if (!account || !matches || !isOpen(account)) throw await failed(ctx, email, account, refused());
  const factor = await secondFactorOf(ctx, account, totpCode);
  if (!factor) {
    if (await countWrongCode(ctx, email))
      await mailCodesGuessed(ctx, account.user).catch((error: unknown) => ctx.log("error", "mail_failed", errorFields(error)));
    throw await failed(ctx, email, account, wrongCode());
  }
  return enter(ctx, account, factor).catch(async (error: unknown) => {
    const isReplay = isAppError(error, "stale_version") && (factor.step ?? factor.recovery) !== undefined;
    throw isReplay ? await failed(ctx, email, account, wrongCode(error)) : error;
  });
}

const noteRefusal = (ctx: PlatformContext, account: Account | undefined, action: string, code: ErrorCode): Promise<void> => {
  const store = account?.user.tenantId ? ctx.platform.inTenant(account.user.tenantId) : ctx.platform;
  const audit = {
    category: "configuration_change",
    action,
    resourceType: "User",
    resourceId: account?.user.id,
    success: false,
    code,
  } as const;
  return store.commit([], audit);
};

const failed = async (ctx: PlatformContext, email: string, account: Account | undefined, refusal: AppError): Promise<AppError> => {
  await noteRefusal(ctx, account, "session.login", refusal.code);
  await countFailure(ctx, { id: account?.user.id ?? nobody, email });
  return refusal;
};

/** Asked for only when the password was right; undefined for a wrong code. */
const secondFactorOf = async (ctx: PlatformContext, account: Account, code: string | undefined): Promise<SecondFactor | undefined> => {
  if (!account.user.totp?.confirmedAt) return {};
  if (code !== undefined) return (await allDone([factorIn(account.user, code, ctx.clock()), refuseCodes(ctx, account.user.email)]))[0];
  await noteRefusal(ctx, account, "session.askCode", "totp_required");
  await countTaken(ctx, account.user);
  throw codeWanted();
};

const enter = async (ctx: PublicContext, account: Account, factor: SecondFactor): Promise<SignedIn> => {
  const { user } = account;
  const { write, startedAt, answer } = await openFor(ctx, account, shortUserAgent(ctx.userAgent));
  await byUser(ctx, user).commit(
    [
      write,
      signInEntry(user, factor, { lastLogin: startedAt, lastNetwork: networkOf(ctx.clientAddress) }),
      // A sign-in has ten write units: one by a recovery code does not give its attempts back.
      factor.recovery ? recoveryUsed(user, factor.recovery) : clearAttempts(ctx, user.email),
    ],
    { category: "configuration_change", action: "session.login", resourceType: "User", resourceId: user.id },
  );
  if (factor.recovery) await countTaken(ctx, user);
  return answer;
};
