import { useEffect, useEffectEvent } from "react";
import { ApiError } from "./api-error.ts";

const [firstMs, longestMs] = [2000, 30_000];

/** About a quarter of an hour. */
export const maxPolls = 33;

/** Most jobs end within seconds, some take minutes. */
export const pollDelayMs = (asked: number): number => Math.min(longestMs, firstMs * 2 ** asked);

/** A network failure may pass, a refusal does not. */
const isTemporary = (error: unknown): boolean => !(error instanceof ApiError) || error.status >= 500 || error.status === 429;

type Props<Found> = {
  ask: () => Promise<Found>;
  /** Without the first pause: the job may have ended before. */
  isAskedNow?: boolean;
  isUnderWay: (found: Found) => boolean;
  /** The progress so far. */
  onSeen?: (found: Found) => void;
  onEnded: (found: Found) => void;
  /** The watch has ended: `refusal` is the error, or undefined after too long. */
  onLost: (refusal: unknown) => void;
};

/** Polls a job until it has ended, while the component is mounted and the page is visible. Renders nothing. */
export const Watch = <Found,>(watched: Props<Found>) => {
  const ask = useEffectEvent(watched.ask);
  const isUnderWay = useEffectEvent(watched.isUnderWay);
  const tell = useEffectEvent((found: Found) => watched.onEnded(found));
  const tellSeen = useEffectEvent((found: Found) => watched.onSeen?.(found));
  const isAskedNow = useEffectEvent(() => watched.isAskedNow === true);
  const giveUp = useEffectEvent((refusal?: unknown) => watched.onLost(refusal));
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isGone = false;
    let asked = 0;
    const later = () => {
      if (isGone) return;
      if (asked === maxPolls) giveUp();
      else timer = setTimeout(() => (document.hidden ? later() : void look()), pollDelayMs(asked));
    };
    const look = async () => {
      asked += 1;
      try {
        const found = await ask();
        if (isGone) return;
        if (!isUnderWay(found)) return tell(found);
        tellSeen(found);
        later();
      } catch (error) {
        if (isTemporary(error)) later();
        else if (!isGone) giveUp(error);
      }
    };
    if (isAskedNow()) void look();
    else later();
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, []);
  return null;
};
