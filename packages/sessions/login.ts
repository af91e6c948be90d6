import type { Credentials, SignedIn } from "@vitaline/contract";
import { awaitAllThenThrow, AppError, errorFields, isAppError, networkOf, type ErrorCode } from "@vitaline/core";
import { keys } from "@vitaline/store";
import type { AccountContext } from "@vitaline/store/scoped.ts";
import { canSignIn, mailGuessedCodes, verifyPassword, readAccount, unknownUserId, type Account } from "@vitaline/users";
import { openAccountSession, shortUserAgent, storeAsUser } from "./open.ts";
import { codeRequired, recoveryCodeWrite, signInWrite, verifySecondFactor, type SecondFactor } from "./second-factor.ts";
import { clearAttempts, countWrongCode, lockIfSpent, recordFailure, refuseCodes, takeAttempts } from "./throttle.ts";

/** `userAgent` is the raw header. */
export type PublicContext = AccountContext & { userAgent?: string };

const refused = () => new AppError("invalid_credentials", "Email or password is not correct.");
const wrongCode = (cause?: unknown) => new AppError("invalid_credentials", "This code is not correct.", { cause });

const readAccountByEmail = async (ctx: AccountContext, email: string): Promise<Account | undefined> => {
  const [claim] = await awaitAllThenThrow([ctx.platform.get(keys.email(email)), ...takeAttempts(ctx, email)]);
  return readAccount(ctx, claim?.userId ?? unknownUserId, claim?.tenantId);
};

/**
 * Three round trips to the table and one password hash, whether or not the account exists. AppError `invalid_credentials` for every
 * refusal, `too_many_requests`, `totp_required` after a correct password if a second factor is on.
 */
export async function login(ctx: PublicContext, { email, password, totpCode }: Credentials): Promise<SignedIn> {
  const account = await readAccountByEmail(ctx, email);
  const matches = await verifyPassword(password, account?.user.passwordHash);
  if (!account || !matches || !canSignIn(account)) throw await recordFailedLogin(ctx, email, account, refused());
  const factor = await checkSecondFactor(ctx, account, totpCode);
  if (!factor) {
    if (await countWrongCode(ctx, email))
      await mailGuessedCodes(ctx, account.user).catch((error: unknown) => ctx.log("error", "mail.failed", errorFields(error)));
    throw await recordFailedLogin(ctx, email, account, wrongCode());
  }
  return openSignedIn(ctx, account, factor).catch(async (error: unknown) => {
    const isReplay = isAppError(error, "stale_version") && (factor.step ?? factor.recovery) !== undefined;
    throw isReplay ? await recordFailedLogin(ctx, email, account, wrongCode(error)) : error;
  });
}

const auditRefusal = (ctx: AccountContext, account: Account | undefined, action: string, code: ErrorCode): Promise<void> => {
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

const recordFailedLogin = async (
  ctx: AccountContext,
  email: string,
  account: Account | undefined,
  refusal: AppError,
): Promise<AppError> => {
  await auditRefusal(ctx, account, "session.login", refusal.code);
  await recordFailure(ctx, { id: account?.user.id ?? unknownUserId, email });
  return refusal;
};

/** Called after the password check; undefined for a wrong code. */
const checkSecondFactor = async (ctx: AccountContext, account: Account, code: string | undefined): Promise<SecondFactor | undefined> => {
  if (!account.user.totp?.confirmedAt) return {};
  if (code !== undefined)
    return (await awaitAllThenThrow([verifySecondFactor(account.user, code, ctx.clock()), refuseCodes(ctx, account.user.email)]))[0];
  await auditRefusal(ctx, account, "session.askCode", "totp_required");
  await lockIfSpent(ctx, account.user);
  throw codeRequired();
};

const openSignedIn = async (ctx: PublicContext, account: Account, factor: SecondFactor): Promise<SignedIn> => {
  const { user } = account;
  const { write, startedAt, answer } = await openAccountSession(ctx, account, shortUserAgent(ctx.userAgent));
  await storeAsUser(ctx, user).commit(
    [
      write,
      signInWrite(user, factor, { lastLogin: startedAt, lastNetwork: networkOf(ctx.clientAddress) }),
      // A sign-in may use ten write units; with a recovery code it does not reset the attempts.
      factor.recovery ? recoveryCodeWrite(user, factor.recovery) : clearAttempts(ctx, user.email),
    ],
    { category: "configuration_change", action: "session.login", resourceType: "User", resourceId: user.id },
  );
  if (factor.recovery) await lockIfSpent(ctx, user);
  return answer;
};
