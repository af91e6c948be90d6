import { type RefObject, useEffect, useRef, useState } from "react";

const stops = "a[href], button, input, select, textarea, summary, [tabindex='0']";

/** Whether the keyboard must be able to focus a scrolling frame: its child is too tall and contains nothing focusable. */
export const useScrollStop = (): { frame: RefObject<HTMLDivElement | null>; isStop: boolean } => {
  const frame = useRef<HTMLDivElement>(null);
  const [isStop, setIsStop] = useState(false);
  useEffect(() => {
    const outer = frame.current;
    const inner = outer?.firstElementChild;
    if (!outer || !inner) return;
    const watcher = new ResizeObserver(() => setIsStop(outer.scrollHeight > outer.clientHeight && inner.querySelector(stops) === null));
    for (const watched of [outer, inner]) watcher.observe(watched);
    return () => watcher.disconnect();
  }, []);
  return { frame, isStop };
};

/** Whether the content is wider than its frame. */
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
