import type { AuditExport } from "@vitaline/contract";
import { useEffect, useEffectEvent } from "react";
import { ApiError } from "../../api/api-error.ts";
import { isUnderWay } from "./export-words.ts";
import type { AskForExport } from "./fetch-export.ts";
import { mostAsks, waitMs } from "./watch-pace.ts";

/** Whether asking again may help: somebody else's fault passes, a refusal stays. */
const mayPass = (error: unknown): boolean => !(error instanceof ApiError) || error.status >= 500 || error.status === 429;

type Props = {
  exportId: string;
  askFor: AskForExport;
  onEnded: (ended: AuditExport) => void;
  /** It is not watched any more: why it was refused, or undefined where it took too long. */ onLost: (refusal: unknown) => void;
};

/** Asks how far an export is until it has ended, as long as this is on the page and the page is looked at. Shows nothing. */
export const WatchExport = ({ exportId, ...told }: Props) => {
  const tell = useEffectEvent((ended: AuditExport) => told.onEnded(ended));
  const giveUp = useEffectEvent((refusal?: unknown) => told.onLost(refusal));
  const askFor = useEffectEvent(told.askFor);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isGone = false;
    let asked = 0;
    const later = () => {
      if (isGone) return;
      if (asked === mostAsks) giveUp();
      else timer = setTimeout(() => (document.hidden ? later() : void ask()), waitMs(asked));
    };
    const ask = async () => {
      asked += 1;
      try {
        const found = await askFor(exportId);
        if (isUnderWay(found)) later();
        else if (!isGone) tell(found);
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
  }, [exportId]);
  return null;
};
