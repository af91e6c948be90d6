import { type Me, sessions, type SignedIn } from "@vitaline/contract";
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from "react";
import { abandonRequests, call } from "../api/call.ts";
import { clearCredentials, onExpired, onTokenChangedElsewhere, readToken, readTokens, storeToken } from "./credentials.ts";
import { onRequiredAction } from "./required-actions.ts";
import { useIsHydrated } from "../dom/use-is-hydrated.ts";
import { checkSession, type Session, type SignedOutReason } from "./session.ts";
import { endView, returnFromView } from "./tenant-view.ts";

type Auth = {
  session: Session;
  user: Me | null;
  signIn: (signedIn: SignedIn) => void;
  /** Reads the session again, for example after a required action. */
  recheck: () => Promise<void>;
  signOut: () => void;
  /** For a session that the server has already ended. */
  forget: () => void;
  /** The login page tells the reason and leads back. */
  signOutIdle: () => void;
  /** Ends a view of a tenant; `isOver` if its time is up. */
  endView: (isOver: boolean) => void;
};

/** In order: a view of a tenant ends first, so that the tenant's audit log records it. */
const logOut = async (tokens: readonly string[]): Promise<void> => {
  for (const token of tokens) await call(sessions.logout, {}, { token }).catch(() => undefined);
};

/** The requests carry the tokens, which are then deleted without waiting for the server. */
const leave = (reason: SignedOutReason): Session => {
  abandonRequests();
  void logOut(readTokens());
  clearCredentials();
  return { status: "signed-out", reason };
};

const AuthContext = createContext<Auth | null>(null);

export const AuthProvider = ({ children }: { children: ReactNode }) => {
  const [session, setSession] = useState<Session>({ status: "checking" });

  useEffect(() => {
    let isGone = false;
    const show = (found: Session) => isGone || setSession(found);
    const check = () => void checkSession().then(show);
    // The page is about to unload: a later session check must not redirect.
    const leaveView = (from: string) => {
      show({ status: "checking" });
      isGone = true;
      returnFromView(from);
    };
    check();
    const stopHearing = [
      onTokenChangedElsewhere((token) => (token ? check() : show({ status: "signed-out", reason: "left" }))),
      onExpired((viewFrom) => {
        if (viewFrom !== undefined) leaveView(viewFrom);
        else if (readToken()) check();
        else show({ status: "signed-out", reason: "expired" });
      }),
      onRequiredAction((duty) => show({ status: "pending", duty })),
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
      endView: (isOver) => {
        setSession({ status: "checking" });
        void endView(isOver);
      },
    }),
    [session],
  );

  return <AuthContext value={auth}>{children}</AuthContext>;
};

const unknownSession: Pick<Auth, "session" | "user"> = { session: { status: "checking" }, user: null };

export const useAuth = (): Auth => {
  const auth = useContext(AuthContext);
  const isAwake = useIsHydrated();
  if (!auth) throw new Error("useAuth must be used within an AuthProvider");
  return isAwake ? auth : { ...auth, ...unknownSession };
};
