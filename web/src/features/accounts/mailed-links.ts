import { accounts, type Invitation } from "@vitaline/contract";
import { ApiError } from "../../lib/api/api-error.ts";

/** The route and the texts of each kind of mailed link. */
export const mailedLinks = {
  reset: {
    route: accounts.resetPassword,
    title: "Choose a new password",
    lead: "It replaces the one you forgot. You will be signed out everywhere.",
    done: { title: "Your password is changed", lead: "Sign in with your new password." },
    dead: {
      title: "This link no longer works",
      lead: "Each link works once, within an hour, and only the newest one works. Request another one, and it will arrive in a moment.",
      wayOut: { to: "/forgot-password", text: "Send a new link" },
    },
  },
  invite: {
    route: accounts.acceptInvite,
    title: "Welcome to Vitaline",
    lead: "You have been invited. Choose the password you will sign in with.",
    done: { title: "Your account is ready", lead: "Sign in with your email address and the password you have just chosen." },
    dead: {
      title: "This invitation no longer works",
      lead: "An invitation can be used once and expires in seven days. If you have already accepted it, just sign in. If not, ask the person who invited you to send it again.",
      wayOut: { to: "/login", text: "Sign in" },
    },
  },
} as const;

/** The invited user and organization, as the invitation names them. */
export const inviteLead = ({ email, firstName, lastName, organization }: Invitation): string => {
  const name = `${firstName} ${lastName}`.trim();
  const what = organization === null ? "to run the platform" : `by ${organization}`;
  return `${name === "" ? "You" : `${name}, you`} have been invited ${what}. Choose the password you will sign in with. Your sign-in name is ${email}.`;
};

export type MailedLink = keyof typeof mailedLinks;

/** The token is used, expired, replaced or unknown: another password would not help. */
export const isDeadLink = (error: unknown): boolean =>
  error instanceof ApiError && (error.problem?.code === "not_doable" || error.problem?.fields?.["token"] !== undefined);
