import { tabsRoom } from "./dialog-bars.ts";

/** Of tabs in a dialog: they stay in sight while their part is scrolled, close to the dialog's head; the inner room is the focus ring's. */
export const tabStrip = {
  "data-dialog-tabs": true,
  position: "sticky",
  top: "-5",
  zIndex: "docked",
  bg: "bg.panel",
  mx: { base: "-4", sm: "-6" },
  px: { base: "4", sm: "6" },
  mt: "-5",
  pt: "0.5",
  css: { "& [role=tab]": { scrollMarginTop: `-${tabsRoom}` } },
} as const;
