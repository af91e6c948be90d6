import { type Me, sessions, type SignedIn } from "@vitaline/contract";
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from "react";
import { abandonRequests, call } from "../api/call.ts";
import { clearCredentials, onExpired, onTokenChangedElsewhere, readToken, readTokens, storeToken } from "./credentials.ts";
import { onDuty } from "./required-actions.ts";
import { useIsAwake } from "../dom/color-mode.ts";
import { checkSession, type Session, type SignedOutReason } from "./session.ts";
import { endView, returnFromView } from "./tenant-view.ts";

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
  /** Of a look at a tenant; `isOver`: its time is up. */
  endView: (isOver: boolean) => void;
};

/** One after the other: a look at a tenant ends with the session that it was opened in, and the tenant's log is to say that it did. */
const logOut = async (tokens: readonly string[]): Promise<void> => {
  for (const token of tokens) await call(sessions.logout, {}, { token }).catch(() => undefined);
};

/** The requests take the tokens along before they are forgotten here; leaving works without the server too, and after another tab. */
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
    // Whose session it is does not matter to a page that is being left: nothing may lead elsewhere meanwhile.
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
      onDuty((duty) => show({ status: "pending", duty })),
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
        // Nothing of the tenant's screens asks for anything any more.
        setSession({ status: "checking" });
        void endView(isOver);
      },
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
