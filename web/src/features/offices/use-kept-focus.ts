import { useEffect, useRef } from "react";

/** What a row was moved by keeps the focus: the browser drops it where its row goes to another place. */
export const useKeptFocus = (at: number) => {
  const row = useRef<HTMLLIElement>(null);
  const pressed = useRef<string>(undefined);
  useEffect(() => {
    if (pressed.current !== undefined) row.current?.querySelector<HTMLElement>(`[data-act=${pressed.current}] button`)?.focus();
    pressed.current = undefined;
  }, [at]);
  return { row, press: (act: "up" | "down") => void (pressed.current = act) };
};
