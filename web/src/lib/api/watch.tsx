import { useEffect, useEffectEvent } from "react";
import { ApiError } from "./api-error.ts";

const [firstMs, longestMs] = [2000, 30_000];

/** After so many questions, about a quarter of an hour, it is not watched any more. */
export const mostAsks = 33;

/** How long to wait before asking again how far something is: most ends within seconds, some takes minutes. */
export const waitMs = (asked: number): number => Math.min(longestMs, firstMs * 2 ** asked);

/** Whether asking again may help: a failure on the way passes, a refusal stays. */
const mayPass = (error: unknown): boolean => !(error instanceof ApiError) || error.status >= 500 || error.status === 429;

type Props<Found> = {
  ask: () => Promise<Found>;
  isUnderWay: (found: Found) => boolean;
  /** How far it was, as long as it is under way. */ onSeen?: (found: Found) => void;
  onEnded: (found: Found) => void;
  /** It is not watched any more: why it was refused, or undefined where it took too long. */ onLost: (refusal: unknown) => void;
};

/** Asks how far something is until it has ended, as long as this is on the page and the page is looked at. Its key is what is watched. Shows nothing. */
export const Watch = <Found,>(watched: Props<Found>) => {
  const ask = useEffectEvent(watched.ask);
  const isUnderWay = useEffectEvent(watched.isUnderWay);
  const tell = useEffectEvent((found: Found) => watched.onEnded(found));
  const tellSeen = useEffectEvent((found: Found) => watched.onSeen?.(found));
  const giveUp = useEffectEvent((refusal?: unknown) => watched.onLost(refusal));
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isGone = false;
    let asked = 0;
    const later = () => {
      if (isGone) return;
      if (asked === mostAsks) giveUp();
      else timer = setTimeout(() => (document.hidden ? later() : void look()), waitMs(asked));
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
        if (mayPass(error)) later();
        else if (!isGone) giveUp(error);
      }
    };
    later();
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, []);
  return null;
};
