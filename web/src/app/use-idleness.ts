import { sessions } from "@vitaline/contract";
import { useCallback, useEffect, useRef, useState } from "react";
import { call } from "../api/call.ts";
import { readTokens } from "../api/credentials.ts";
import { idlenessAt, isToBeTold, type Idleness } from "./idle.ts";

/** What only a person does. What the page does by itself, such as asking for news every 30 seconds, is not among them. */
const deeds = ["pointerdown", "pointermove", "keydown", "wheel", "touchstart"] as const;

/** Tabs of one session tell each other when the server has heard of the person. */
const channelName = "vitaline-idleness";

/** Watches whether a person is there, in any tab, and keeps the server told while they are. `stay` is their word that they are. */
export const useIdleness = (onOver: () => void): { idleness: Idleness; stay: () => void } => {
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
