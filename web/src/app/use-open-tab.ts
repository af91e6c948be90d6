import { type RefObject, useEffect, useRef } from "react";
import { selectedIn, useTabStrip } from "./use-tab-strip.ts";

/** For a page's list of tabs: whoever comes to one by a link in another has the focus on it, as what had the focus is gone. */
export const useOpenTab = (tab: string): RefObject<HTMLDivElement | null> => {
  const list = useTabStrip(tab);
  const shown = useRef(tab);
  useEffect(() => {
    if (shown.current === tab) return;
    shown.current = tab;
    if (list.current && !list.current.contains(document.activeElement)) selectedIn(list.current)?.focus();
  }, [tab, list]);
  return list;
};
