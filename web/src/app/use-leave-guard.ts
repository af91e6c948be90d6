import { useEffect } from "react";
import { useLocation } from "react-router-dom";
import { type Ask, askBeforeLeaving, leaveUnasked, notePlace } from "./leaving.ts";

/** As long as something would be lost, leaving by the browser's own means asks first. `ask` stays the same from render to render. */
export const useLeaveGuard = (isDirty: boolean, ask: Ask): void => {
  const location = useLocation();
  useEffect(notePlace, [location]);
  useEffect(() => {
    if (!isDirty) return;
    askBeforeLeaving(ask);
    return () => leaveUnasked(ask);
  }, [isDirty, ask]);
};
