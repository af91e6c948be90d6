import { Button } from "@chakra-ui/react/button";
import { chakra } from "@chakra-ui/react/styled-system";
import { sessions } from "@vitaline/contract";
import { useCallback, useEffect, useRef, useState } from "react";
import { Modal } from "../components/dialog/modal.tsx";
import { useAuth } from "../lib/session/auth.tsx";
import { call } from "../lib/api/call.ts";
import { readTokens } from "../lib/session/credentials.ts";

/** Signs out who has left the screen, after a minute's warning. */
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

/** Tabs of one session tell each other when the server has heard of the person. */
const channelName = "vitaline-idleness";

/** What only a person does. What the page does by itself, such as asking for news every 30 seconds, is not among them. */
const deeds = ["pointerdown", "pointermove", "keydown", "wheel", "touchstart"] as const;

/** Watches whether a person is there, in any tab, and keeps the server told while they are. `stay` is their word that they are. */
const useIdleness = (onOver: () => void): { idleness: Idleness; stay: () => void } => {
  const [idleness, setIdleness] = useState<Idleness>({ phase: "awake" });
  const lastHeard = useRef(0);
  const channel = useRef<BroadcastChannel>(undefined);

  const tell = useCallback(() => {
    lastHeard.current = Date.now();
    setIdleness({ phase: "awake" });
    channel.current?.postMessage(lastHeard.current);
    // A session that is over says so by itself; without the server the clock runs on.
    for (const token of readTokens()) call(sessions.me, {}, { token }).catch(() => undefined);
  }, []);

  useEffect(() => {
    lastHeard.current = Date.now();
    const opened = new BroadcastChannel(channelName);
    channel.current = opened;
    opened.onmessage = ({ data }: MessageEvent<number>) => {
      lastHeard.current = Math.max(lastHeard.current, data);
    };
    const hear = () => isToBeTold(Date.now(), lastHeard.current) && tell();
    // By the clock rather than by counting: a computer that slept does not count.
    const look = () => {
      const now = idlenessAt(Date.now(), lastHeard.current);
      setIdleness((before) => (before.phase === "awake" && now.phase === "awake" ? before : now));
      if (now.phase === "over") onOver();
    };
    const timer = setInterval(look, 1000);
    document.addEventListener("visibilitychange", look);
    for (const deed of deeds) window.addEventListener(deed, hear, { passive: true });
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", look);
      for (const deed of deeds) window.removeEventListener(deed, hear);
      opened.close();
    };
  }, [tell, onOver]);

  return { idleness, stay: tell };
};

/** Somebody at work is told to the server this often, as it is as far as the server counts. */
const tellMilliseconds = 60_000;

/** Whether what a person does now is to be told to the server. Once warned, they say so by a button instead. */
export const isToBeTold = (now: number, lastHeard: number): boolean =>
  idlenessAt(now, lastHeard).phase === "awake" && now - lastHeard >= tellMilliseconds;

/**
 * The server ends a session 15 minutes after its last request that a person made, and counts by the minute. Here it ends
 * a minute earlier, so that who is warned still has a session to keep.
 */
const idleMilliseconds = 14 * 60_000;

const warningMilliseconds = 60_000;

/** How things stand at an instant, when the server last heard of the person at another. Milliseconds since 1970. */
export const idlenessAt = (now: number, lastHeard: number): Idleness => {
  const left = idleMilliseconds - (now - lastHeard);
  if (left <= 0) return { phase: "over" };
  return left <= warningMilliseconds ? { phase: "warned", secondsLeft: Math.ceil(left / 1000) } : { phase: "awake" };
};

/** Whole seconds until an instant, by the clock, as a computer that slept does not count; 0 once it has passed. */
export const useSecondsLeft = (until: string): number => {
  const [left, setLeft] = useState(() => secondsUntil(until));
  useEffect(() => {
    const timer = setInterval(() => setLeft(secondsUntil(until)), 1000);
    return () => clearInterval(timer);
  }, [until]);
  return left;
};

const secondsUntil = (instant: string): number => Math.max(0, Math.ceil((Date.parse(instant) - Date.now()) / 1000));
