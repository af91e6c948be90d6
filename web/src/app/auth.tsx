import { sessions, type SignedIn, type User } from "@vitaline/contract";
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { call } from "../api/call.ts";
import { clearCredentials, onExpired, onTokenChangedElsewhere, storeToken } from "../api/credentials.ts";
import { checkSession, type Session } from "./session.ts";

type Auth = {
  session: Session;
  user: User | null;
  signIn: (signedIn: SignedIn) => void;
  signOut: () => void;
};

const AuthContext = createContext<Auth | null>(null);

export const AuthProvider = ({ children }: { children: ReactNode }) => {
  const [session, setSession] = useState<Session>({ status: "checking" });

  useEffect(() => {
    let isGone = false;
    const check = () => void checkSession().then((checked) => isGone || setSession(checked));
    check();
    const stopHearingTabs = onTokenChangedElsewhere((token) => (token ? check() : setSession({ status: "signed-out", reason: "left" })));
    const stopHearingExpiry = onExpired(() => setSession({ status: "signed-out", reason: "expired" }));
    return () => {
      isGone = true;
      stopHearingTabs();
      stopHearingExpiry();
    };
  }, []);

  const auth = useMemo<Auth>(
    () => ({
      session,
      user: session.status === "signed-in" ? session.user : null,
      signIn: ({ user, token }) => {
        storeToken(token);
        setSession({ status: "signed-in", user });
      },
      signOut: () => {
        // The request takes the token along before it is forgotten here; leaving works without the server too.
        const revoked = call(sessions.logout, {});
        clearCredentials();
        setSession({ status: "signed-out", reason: "left" });
        revoked.catch(() => undefined);
      },
    }),
    [session],
  );

  return <AuthContext value={auth}>{children}</AuthContext>;
};

const never = () => () => undefined;

/** False while a prerendered part of the page wakes up: it must first be what the server rendered, for whom nobody was known yet. */
const useIsAwake = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );

const unknown: Pick<Auth, "session" | "user"> = { session: { status: "checking" }, user: null };

export const useAuth = (): Auth => {
  const auth = useContext(AuthContext);
  const isAwake = useIsAwake();
  if (!auth) throw new Error("useAuth must be used within an AuthProvider");
  return isAwake ? auth : { ...auth, ...unknown };
};
