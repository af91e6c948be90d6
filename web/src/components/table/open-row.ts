import type { KeyboardEvent, MouseEvent } from "react";

const controls = "a, button, input, select, textarea, label, summary";

const isOnControl = ({ target, currentTarget }: MouseEvent<HTMLElement>): boolean => {
  const control = target instanceof Element ? target.closest(controls) : null;
  return control !== null && currentTarget.contains(control);
};

/** A press that ends a selection of text, or one with a modifier, opens nothing. */
const isPlainPress = (event: MouseEvent<HTMLElement>): boolean =>
  event.button === 0 &&
  !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) &&
  !event.defaultPrevented &&
  !isOnControl(event) &&
  (getSelection()?.isCollapsed ?? true);

const neighbors = { ArrowDown: "nextElementSibling", ArrowUp: "previousElementSibling" } as const;

/** Props of a row that opens as a whole. Its own link stays the way for screen readers. */
export const opening = (open: () => void) => ({
  tabIndex: -1,
  cursor: "pointer",
  outline: "0",
  focusVisibleRing: "inside" as const,
  _hover: { bg: "bg.subtle" },
  onClick: (event: MouseEvent<HTMLElement>) => {
    if (isPlainPress(event)) open();
  },
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
    const { key, target, currentTarget: row } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (key === "Enter" && target === row) {
      // Else the key would also press what takes the focus.
      event.preventDefault();
      return open();
    }
    if ((key !== "ArrowDown" && key !== "ArrowUp") || (target instanceof Element && target.matches("select, textarea"))) return;
    const next = row[neighbors[key]];
    if (!(next instanceof HTMLElement)) return;
    event.preventDefault();
    next.focus();
  },
});
