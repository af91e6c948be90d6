import { type Me, sessions, type Pending, type Role } from "@vitaline/contract";
import { call } from "../api/call.ts";
import { clearCredentials, readToken, readView } from "./credentials.ts";
import { dutyIn } from "./required-actions.ts";

/** Why nobody is signed in: never was, left, was away for too long, the session ended, or the check failed. */
export type SignedOutReason = "none" | "left" | "idle" | "expired" | "unverified";

export type Session =
  | { status: "checking" }
  | { status: "signed-in"; user: Me }
  /** Signed in, but nothing is answered before the duty is done. */
  | { status: "pending"; duty: Pending }
  | { status: "signed-out"; reason: SignedOutReason };

/** Asks the server whose token is stored; any failure but a duty signs out. Never throws. */
export const checkSession = async (): Promise<Session> => {
  const token = readToken();
  const isOfView = token !== null && token === readView()[0];
  if (!token) return { status: "signed-out", reason: "none" };
  try {
    const user = await call(sessions.me, {}, { on401: "returnNull" });
    if (user) return { status: "signed-in", user };
  } catch (error) {
    const duty = dutyIn(error);
    if (duty) return { status: "pending", duty };
  }
  const stored = readToken();
  // A look at a tenant is over: the page is being left, and what it asked for now would be given up half-way.
  if (isOfView && stored !== token) return { status: "checking" };
  // Another tab signed in while this answer was on its way.
  if (stored !== null && stored !== token) return checkSession();
  // A refused token was cleared by the call itself; one that is still there could not be checked.
  const reason = stored === token ? "unverified" : "expired";
  clearCredentials();
  return { status: "signed-out", reason };
};

/** What a person who did not choose to sign out is told on the sign-in page. */
export const signedOutNotices: Partial<Record<SignedOutReason, string>> = {
  idle: "You were signed out because nothing happened for a while. Please sign in again.",
  expired: "Your session has ended. Please sign in again.",
  unverified: "We could not verify your session. Please sign in again.",
};

export type Admission = { kind: "wait" } | { kind: "show" } | { kind: "redirect"; to: string; remember: boolean };

type Door = {
  /** Whom it opens to; anybody signed in when absent. */ role: Role | undefined;
  /** Where others are sent. */ redirectTo: string;
  /** Where those are sent who have just signed out. */ afterLogout: string;
};

/** Who may see a role's area. `remember`: after signing in, the person comes back to the address asked for. */
export const admit = (session: Session, { role, redirectTo, afterLogout }: Door): Admission => {
  if (session.status === "checking") return { kind: "wait" };
  if (session.status === "signed-in" && (role === undefined || session.user.role === role)) return { kind: "show" };
  if (session.status === "signed-out" && session.reason === "left") return { kind: "redirect", to: afterLogout, remember: false };
  return { kind: "redirect", to: redirectTo, remember: true };
};
