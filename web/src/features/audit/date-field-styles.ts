const ring = { outline: "0", focusVisibleRing: "outside", borderRadius: "l1" } as const;

/** The calendar opens below its field, within the dialog: nothing has to float above what the browser keeps on top. */
export const dateFieldStyles = {
  "& [data-part=content]": { mt: "2", p: "3", borderWidth: "1px", borderColor: "border", borderRadius: "l2", maxW: "xs" },
  "& [data-part=content][hidden]": { display: "none" },
  "& [data-part=view-control]": { display: "flex", alignItems: "center", justifyContent: "space-between", mb: "2" },
  "& :is([data-part=view-trigger], [data-part=prev-trigger], [data-part=next-trigger])": {
    ...ring,
    minH: "9",
    minW: "9",
    px: "2",
    fontWeight: "semibold",
    cursor: "button",
    display: "inline-flex",
    alignItems: "center",
    justifyContent: "center",
    _hover: { bg: "bg.muted" },
    _disabled: { layerStyle: "disabled" },
  },
  "& [data-part=table]": { w: "full", textStyle: "sm", fontVariantNumeric: "tabular-nums" },
  "& [data-part=table-header]": { color: "fg.muted", fontWeight: "medium", h: "8", textAlign: "center" },
  "& [data-part=table-cell]": { p: "0.5", textAlign: "center" },
  "& [data-part=table-cell-trigger]": {
    ...ring,
    display: "flex",
    alignItems: "center",
    justifyContent: "center",
    minH: "8",
    cursor: "button",
    "&[data-outside-range]": { visibility: "hidden" },
    "&[data-today]": { fontWeight: "bold", color: "teal.fg", textDecoration: "underline" },
    "&[data-disabled]": { color: "fg.muted", cursor: "not-allowed", textDecoration: "line-through" },
    "&:not([data-disabled]):hover": { bg: "bg.muted" },
    "&[data-selected]": { bg: "teal.solid", color: "teal.contrast", textDecoration: "none" },
    "&[data-selected]:hover": { bg: "teal.solid" },
  },
} as const;
