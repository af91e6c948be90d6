import { type Me, type Pending, sessions } from "@vitaline/contract";
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
