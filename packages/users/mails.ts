import { sendMail } from "@vitaline/aws";
import type { UserRow } from "@vitaline/store";
import type { AccountContext } from "@vitaline/store/scoped.ts";

const whatFor = ({ role, access }: UserRow, organization: string): string => {
  if (role === "system_admin") return ", to administer the platform";
  if (access === "staff") return ` to work on the calls and tasks of ${organization}`;
  return access === "auditor" ? ` to see the audit log and reports of ${organization}` : ` to manage the voice agents of ${organization}`;
};

/** Mail programs make a link of an address; an inviter types the name, and any address can be invited. */
const looksLikeAddress = /\/|\S\.\S/;
const greet = (firstName: string): string => (firstName === "" || looksLikeAddress.test(firstName) ? "Hello" : `Hello ${firstName}`);

/** `organization` is null for a platform administrator. AppError `unavailable` if sending fails. */
export const mailInvitation = ({ origin }: AccountContext, user: UserRow, token: string, organization: string | null): Promise<void> =>
  sendMail({
    to: user.email,
    subject: "Your invitation to Vitaline",
    text: `${greet(user.firstName)},

You have been invited to Vitaline${whatFor(user, organization || "your organization")}. Choose your password here:

${origin}/accept-invite/${token}

The link can be used once and expires in seven days. After that, sign in with this email address, ${user.email}.
`,
  });

/** AppError `unavailable` if sending fails. */
export const mailPasswordLink = ({ origin }: AccountContext, { email, firstName }: UserRow, token: string): Promise<void> =>
  sendMail({
    to: email,
    subject: "Choose a new password for Vitaline",
    text: `${greet(firstName)},

We received a request for a new password for your account. You can choose one here:

${origin}/reset-password/${token}

The link can be used once and expires in one hour. If you did not request it, ignore this email; your password stays the same.
`,
  });

/** After an administrator's reset. AppError `unavailable` if sending fails. */
export const mailPasswordReset = (
  { origin }: AccountContext,
  { email, firstName }: UserRow,
  { token, totpRemoved }: { token: string; totpRemoved: boolean },
): Promise<void> =>
  sendMail({
    to: email,
    subject: totpRemoved ? "Two-factor sign-in is off for your Vitaline account" : "Choose a new password for Vitaline",
    text: `${greet(firstName)},

An administrator ${totpRemoved ? "turned off two-factor sign-in for your account and reset your password" : "reset your password"}. You are signed out everywhere, and your old password no longer works. Choose a new one here:

${origin}/reset-password/${token}

The link can be used once and expires in one hour. After that, get a new one at ${origin}/forgot-password.
${totpRemoved ? "\nOnce you have signed in, set up two-factor sign-in again in your account.\n" : ""}
If you did not expect this, ask your administrator about it before you sign in.
`,
  });

/** AppError `unavailable` if sending fails. */
export const mailGuessedCodes = ({ origin }: AccountContext, { email, firstName }: UserRow): Promise<void> =>
  sendMail({
    to: email,
    subject: "Wrong sign-in codes for your Vitaline account",
    text: `${greet(firstName)},

Today your password was entered correctly, followed by many wrong sign-in codes. No more codes are accepted until tomorrow, except from the network you last signed in from.

If this wasn't you, someone else knows your password. Please choose a new one now:

${origin}/forgot-password
`,
  });

/** AppError `unavailable` if sending fails. */
export const mailTotpEnabled = ({ origin }: AccountContext, { email, firstName }: UserRow): Promise<void> =>
  sendMail({
    to: email,
    subject: "Two-factor sign-in is on for your Vitaline account",
    text: `${greet(firstName)},

Two-factor sign-in was just turned on for your account: from now on, signing in requires a code from the authenticator app that was set up.

If this wasn't you, someone else has access to your account. Please choose a new password now, which ends all sessions, and ask your administrator to reset two-factor sign-in:

${origin}/forgot-password
`,
  });
