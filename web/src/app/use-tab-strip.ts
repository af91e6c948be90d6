import { type RefObject, useLayoutEffect, useRef } from "react";

export const selectedIn = (list: HTMLElement): HTMLElement | null => list.querySelector("[aria-selected=true]");

/** Scrolls a list sideways, and nothing else, until one of its children is in sight. */
const reveal = (list: HTMLElement, child: HTMLElement): void => {
  const [outer, inner] = [list.getBoundingClientRect(), child.getBoundingClientRect()];
  list.scrollLeft += Math.min(0, inner.left - outer.left) + Math.max(0, inner.right - outer.right);
};

/** Says at which edges there is more than is in sight, by `data-more`: there the theme fades it out. */
const markEdges = (list: HTMLElement): void => {
  const after = list.scrollWidth - list.clientWidth - list.scrollLeft;
  list.dataset["more"] = [list.scrollLeft > 1 && "start", after > 1 && "end"].filter(Boolean).join(" ");
};

/** For a list of tabs that may be wider than its place: the open one is always in sight, and what is not is hinted at. */
export const useTabStrip = (tab: string): RefObject<HTMLDivElement | null> => {
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const strip = list.current;
    if (!strip) return;
    const mark = () => markEdges(strip);
    const show = () => {
      const selected = selectedIn(strip);
      if (selected) reveal(strip, selected);
      mark();
    };
    show();
    const watcher = new ResizeObserver(show);
    watcher.observe(strip);
    strip.addEventListener("scroll", mark, { passive: true });
    return () => {
      watcher.disconnect();
      strip.removeEventListener("scroll", mark);
    };
  }, [tab]);
  return list;
};
