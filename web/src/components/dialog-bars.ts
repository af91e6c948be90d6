/** As high as a dialog's footer and its tabs, and a little more. */
export const footerRoom = "24";
export const tabsRoom = "20";

/** Of a dialog's content: what takes the focus is scrolled to where neither tabs nor footer cover it. */
export const betweenBars = {
  "&:has([data-dialog-footer])": { scrollPaddingBottom: footerRoom },
  "&:has([data-dialog-tabs])": { scrollPaddingTop: tabsRoom },
} as const;
