import { type Me, type Pending, sessions } from "@vitaline/contract";
import { call } from "../api/call.ts";
import { clearCredentials, readToken, readView } from "./credentials.ts";
import { requiredActionOf } from "./required-actions.ts";

export type SignedOutReason = "none" | "left" | "idle" | "expired" | "unverified";

export type Session =
  | { status: "checking" }
  | { status: "signed-in"; user: Me }
  /** The server answers nothing before the required action is done. */
  | { status: "pending"; duty: Pending }
  | { status: "signed-out"; reason: SignedOutReason };

let isPageLeft = false;
/** A request then fails because the page is left, which says nothing about the session. */
export const markPageLeft = (): void => void (isPageLeft = true);

/** Reads the session of the stored token. Any failure except a required action signs out. Never throws. */
export const checkSession = async (): Promise<Session> => {
  const token = readToken();
  const isOfView = token !== null && token === readView()[0];
  if (!token) return { status: "signed-out", reason: "none" };
  try {
    const user = await call(sessions.me, {}, { on401: "returnNull" });
    if (user) return { status: "signed-in", user };
  } catch (error) {
    const duty = requiredActionOf(error);
    if (duty) return { status: "pending", duty };
  }
  if (isPageLeft) return { status: "checking" };
  const stored = readToken();
  // A view of a tenant has ended and the page is about to unload.
  if (isOfView && stored !== token) return { status: "checking" };
  // Another tab has signed in meanwhile.
  if (stored !== null && stored !== token) return checkSession();
  // `call` deletes a refused token; a token that is still stored could not be checked.
  const reason = stored === token ? "unverified" : "expired";
  clearCredentials();
  return { status: "signed-out", reason };
};
