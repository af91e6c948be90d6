import { type Me, sessions, type SignedIn } from "@vitaline/contract";
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from "react";
import { abandonRequests, call } from "../api/call.ts";
import { clearCredentials, onExpired, onTokenChangedElsewhere, readToken, readTokens, storeToken } from "../api/credentials.ts";
import { onDuty } from "../api/duties.ts";
import { useIsAwake } from "./awake.ts";
import { checkSession, type Session, type SignedOutReason } from "./session.ts";

type Auth = {
  session: Session;
  user: Me | null;
  signIn: (signedIn: SignedIn) => void;
  /** Asks the server again how things stand, as after a duty is done. */
  recheck: () => Promise<void>;
  signOut: () => void;
  /** Of who is signed out at the server already. */
  forget: () => void;
  /** Of who has left the screen: they are told why, and come back to where they were. */
  signOutIdle: () => void;
};

/** The request takes the token along before it is forgotten here; leaving works without the server too, and after another tab. */
const leave = (reason: SignedOutReason): Session => {
  abandonRequests();
  for (const token of readTokens()) call(sessions.logout, {}, { token }).catch(() => undefined);
  clearCredentials();
  return { status: "signed-out", reason };
};

const AuthContext = createContext<Auth | null>(null);

export const AuthProvider = ({ children }: { children: ReactNode }) => {
  const [session, setSession] = useState<Session>({ status: "checking" });

  useEffect(() => {
    let isGone = false;
    const check = () => void checkSession().then((checked) => isGone || setSession(checked));
    check();
    const stopHearing = [
      onTokenChangedElsewhere((token) => (token ? check() : setSession({ status: "signed-out", reason: "left" }))),
      onExpired(() => (readToken() ? check() : setSession({ status: "signed-out", reason: "expired" }))),
      onDuty((duty) => setSession({ status: "pending", duty })),
    ];
    return () => {
      isGone = true;
      for (const stop of stopHearing) stop();
    };
  }, []);

  const auth = useMemo<Auth>(
    () => ({
      session,
      user: session.status === "signed-in" ? session.user : null,
      signIn: ({ user, token, pending }) => {
        storeToken(token);
        setSession(pending ? { status: "pending", duty: pending } : { status: "signed-in", user });
      },
      recheck: async () => setSession(await checkSession()),
      signOut: () => setSession(leave("left")),
      forget: () => {
        clearCredentials();
        setSession({ status: "signed-out", reason: "left" });
      },
      signOutIdle: () => setSession(leave("idle")),
    }),
    [session],
  );

  return <AuthContext value={auth}>{children}</AuthContext>;
};

const unknown: Pick<Auth, "session" | "user"> = { session: { status: "checking" }, user: null };

export const useAuth = (): Auth => {
  const auth = useContext(AuthContext);
  const isAwake = useIsAwake();
  if (!auth) throw new Error("useAuth must be used within an AuthProvider");
  return isAwake ? auth : { ...auth, ...unknown };
};
