import { type RefObject, useEffect, useRef, useState } from "react";

/** Puts the focus on a button once what covered it, or what held the focus before, is gone from the page. */
export const useLaterFocus = (): { button: RefObject<HTMLButtonElement | null>; focusLater: () => void } => {
  const button = useRef<HTMLButtonElement>(null);
  const [times, setTimes] = useState(0);
  useEffect(() => {
    if (times > 0) button.current?.focus();
  }, [times]);
  return { button, focusLater: () => setTimes((before) => before + 1) };
};
