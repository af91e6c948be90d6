import { type RefObject, useEffect, useRef, useState } from "react";

/** Whether what a frame holds is wider than the frame itself, so that it has to be scrolled sideways. */
export const useIsTooWide = (): { frame: RefObject<HTMLDivElement | null>; isTooWide: boolean } => {
  const frame = useRef<HTMLDivElement>(null);
  const [isTooWide, setIsTooWide] = useState(false);
  useEffect(() => {
    const outer = frame.current;
    if (!outer) return;
    const watcher = new ResizeObserver(() => setIsTooWide(outer.scrollWidth > outer.clientWidth));
    for (const watched of [outer, ...outer.children]) watcher.observe(watched);
    return () => watcher.disconnect();
  }, []);
  return { frame, isTooWide };
};
