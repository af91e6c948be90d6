import { type RefObject, useEffect, useRef, useState } from "react";

/** Puts the focus on a button, or on what else a ref is given to, once what covered it, or what held the focus before, is gone from the page. */
export const useLaterFocus = <Target extends HTMLElement = HTMLButtonElement>(): {
  button: RefObject<Target | null>;
  focusLater: () => void;
} => {
  const button = useRef<Target>(null);
  const [times, setTimes] = useState(0);
  useEffect(() => {
    if (times > 0) button.current?.focus();
  }, [times]);
  return { button, focusLater: () => setTimes((before) => before + 1) };
};
