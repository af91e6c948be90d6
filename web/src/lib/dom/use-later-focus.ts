import { type RefObject, useEffect, useRef, useState } from "react";

/** Moves the focus to the referenced element after the dialog or element that had it is gone. */
export const useFocusLater = <Target extends HTMLElement = HTMLButtonElement>(): {
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
