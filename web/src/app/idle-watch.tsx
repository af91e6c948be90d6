import { Button } from "@chakra-ui/react/button";
import { chakra } from "@chakra-ui/react/styled-system";
import { sessions } from "@vitaline/contract";
import { useCallback, useEffect, useRef, useState } from "react";
import { Modal } from "../components/dialog/modal.tsx";
import { useAuth } from "../lib/session/auth.tsx";
import { call } from "../lib/api/call.ts";
import { readTokens } from "../lib/session/credentials.ts";

/** Logs the user out after 14 minutes without activity, after a warning of one minute. */
export const IdleWatch = () => {
  const { signOut, signOutIdle } = useAuth();
  const { idleness, stay } = useIdleness(signOutIdle);
  if (idleness.phase !== "warned") return null;
  return (
    <Modal
      title="Are you still there?"
      onClose={stay}
      actions={
        <>
          <Button onClick={stay}>Stay signed in</Button>
          <Button variant="outline" onClick={signOut}>
            Logout
          </Button>
        </>
      }
    >
      Nothing has happened here for a while. To protect patient data you will be signed out in{" "}
      <chakra.span role="timer" color="fg" fontWeight="semibold" fontVariantNumeric="tabular-nums" whiteSpace="nowrap">
        {`${idleness.secondsLeft} ${idleness.secondsLeft === 1 ? "second" : "seconds"}`}
      </chakra.span>
      .
    </Modal>
  );
};

type Idleness = { phase: "awake" } | { phase: "warned"; secondsLeft: number } | { phase: "over" };

/** Tabs of one session share the time of the last activity. */
const channelName = "vitaline-idleness";

/** Only a person causes these events. Polling does not count as activity. */
const activityEvents = ["pointerdown", "pointermove", "keydown", "wheel", "touchstart"] as const;

/** Watches all tabs for activity and reports it to the server. */
const useIdleness = (onOver: () => void): { idleness: Idleness; stay: () => void } => {
  const [idleness, setIdleness] = useState<Idleness>({ phase: "awake" });
  const lastHeard = useRef(0);
  const channel = useRef<BroadcastChannel>(undefined);

  const tell = useCallback(() => {
    lastHeard.current = Date.now();
    setIdleness({ phase: "awake" });
    channel.current?.postMessage(lastHeard.current);
    // The server reports an ended session by itself. Without a connection the countdown goes on.
    for (const token of readTokens()) call(sessions.me, {}, { token }).catch(() => undefined);
  }, []);

  useEffect(() => {
    lastHeard.current = Date.now();
    const opened = new BroadcastChannel(channelName);
    channel.current = opened;
    opened.onmessage = ({ data }: MessageEvent<number>) => {
      lastHeard.current = Math.max(lastHeard.current, data);
    };
    const hear = () => shouldReport(Date.now(), lastHeard.current) && tell();
    // Compares times instead of counting: a sleeping computer does not count.
    const look = () => {
      const now = idlenessAt(Date.now(), lastHeard.current);
      setIdleness((before) => (before.phase === "awake" && now.phase === "awake" ? before : now));
      if (now.phase === "over") onOver();
    };
    const timer = setInterval(look, 1000);
    document.addEventListener("visibilitychange", look);
    for (const deed of activityEvents) window.addEventListener(deed, hear, { passive: true });
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", look);
      for (const deed of activityEvents) window.removeEventListener(deed, hear);
      opened.close();
    };
  }, [tell, onOver]);

  return { idleness, stay: tell };
};

/** Activity is reported at most this often. */
const reportMilliseconds = 60_000;

/** Once the warning is shown, only its button counts as activity. */
export const shouldReport = (now: number, lastHeard: number): boolean =>
  idlenessAt(now, lastHeard).phase === "awake" && now - lastHeard >= reportMilliseconds;

/**
 * The server ends a session 15 minutes after its last request, counted in whole minutes. The browser ends it one minute earlier
 * so that the warning appears while the session is still valid.
 */
const idleMilliseconds = 14 * 60_000;

const warningMilliseconds = 60_000;

/** All times are milliseconds since 1970. */
export const idlenessAt = (now: number, lastHeard: number): Idleness => {
  const left = idleMilliseconds - (now - lastHeard);
  if (left <= 0) return { phase: "over" };
  return left <= warningMilliseconds ? { phase: "warned", secondsLeft: Math.ceil(left / 1000) } : { phase: "awake" };
};
