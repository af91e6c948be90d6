import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";

const selectedIn = (list: HTMLElement): HTMLElement | null => list.querySelector("[aria-selected=true]");

/** Scrolls a list sideways, and nothing else, until one of its children is in sight. */
const reveal = (list: HTMLElement, child: HTMLElement): void => {
  const [outer, inner] = [list.getBoundingClientRect(), child.getBoundingClientRect()];
  list.scrollLeft += Math.min(0, inner.left - outer.left) + Math.max(0, inner.right - outer.right);
};

/**
 * For the list of tabs: the open one is always in sight. Whoever comes to it by a link in another tab has the focus on it, as what
 * had the focus is gone.
 */
export const useOpenTab = (tab: string): RefObject<HTMLDivElement | null> => {
  const list = useRef<HTMLDivElement>(null);
  const shown = useRef(tab);
  useLayoutEffect(() => {
    const selected = list.current && selectedIn(list.current);
    if (selected) reveal(list.current as HTMLElement, selected);
  }, [tab]);
  useEffect(() => {
    if (shown.current === tab) return;
    shown.current = tab;
    if (list.current && !list.current.contains(document.activeElement)) selectedIn(list.current)?.focus();
  }, [tab]);
  return list;
};
