import { defineSlotRecipe } from "@chakra-ui/react/styled-system";

export const stat = defineSlotRecipe({
  className: "vl-stat",
  slots: ["root", "label", "helpText", "valueText", "valueUnit", "indicator"],
  base: {
    root: { display: "flex", flexDirection: "column", gap: "1.5", flex: "1", minWidth: "0" },
    label: {
      display: "inline-flex",
      alignItems: "center",
      justifyContent: "space-between",
      gap: "2",
      color: "fg.muted",
      textStyle: "sm",
      fontWeight: "medium",
    },
    valueText: {
      textStyle: "3xl",
      "[data-density=compact] &": { textStyle: "2xl" },
      fontWeight: "semibold",
      fontVariantNumeric: "tabular-nums",
      letterSpacing: "tight",
    },
    helpText: { color: "fg.muted", textStyle: "sm" },
  },
});

/** Tabs fade out at an edge with hidden tabs. */
export const fadeRem = 2.5;
const fade = `${fadeRem}rem`;
const fading = {
  "--fade-start": "0px",
  "--fade-end": "0px",
  maskImage: "linear-gradient(to right, transparent, black var(--fade-start), black calc(100% - var(--fade-end)), transparent)",
  "&[data-more~=start]": { "--fade-start": fade },
  "&[data-more~=end]": { "--fade-end": fade },
};

export const tabs = defineSlotRecipe({
  className: "vl-tabs",
  slots: ["root", "trigger", "list", "content", "contentGroup", "indicator"],
  base: {
    root: { position: "relative", width: "100%" },
    list: { display: "flex", gap: "6", borderBottomWidth: "1px", borderColor: "border", overflowX: "auto", ...fading },
    trigger: {
      display: "flex",
      alignItems: "center",
      gap: "2",
      height: "11",
      px: "1",
      textStyle: "sm",
      fontWeight: "semibold",
      color: "fg.muted",
      cursor: "button",
      borderBottomWidth: "2px",
      borderColor: "transparent",
      marginBottom: "-1px",
      outline: "0",
      // The list cuts off what lies outside a tab.
      focusVisibleRing: "outside",
      focusRingOffset: "-2px",
      borderTopRadius: "l1",
      _icon: { boxSize: "4" },
      _selected: { color: "colorPalette.fg", borderColor: "colorPalette.solid" },
    },
    content: { width: "100%", pt: "panel", focusVisibleRing: "outside", borderRadius: "l1" },
  },
});

export const emptyState = defineSlotRecipe({
  className: "vl-empty-state",
  slots: ["root", "content", "indicator", "title", "description"],
  base: {
    root: { width: "full", px: "4", py: "8" },
    content: { display: "flex", flexDirection: "column", alignItems: "center", textAlign: "center", gap: "3" },
    indicator: {
      display: "flex",
      alignItems: "center",
      justifyContent: "center",
      boxSize: "11",
      borderRadius: "full",
      bg: "bg.muted",
      color: "fg.muted",
      _icon: { boxSize: "5" },
    },
    title: { fontWeight: "semibold", textStyle: "md" },
    description: { textStyle: "sm", color: "fg.muted", maxW: "sm" },
  },
});

const announcement = (name: string) => ({
  [`&[data-type=${name}]`]: { "--toast-edge": `colors.${name === "error" ? "red" : "green"}.solid` },
});

export const toast = defineSlotRecipe({
  className: "vl-toast",
  slots: ["root", "title", "description", "indicator", "closeTrigger", "actionTrigger"],
  base: {
    root: {
      "--toast-edge": "colors.blue.solid",
      display: "flex",
      alignItems: "flex-start",
      gap: "3",
      width: "full",
      position: "relative",
      py: "3.5",
      ps: "4",
      pe: "10",
      bg: "bg.panel",
      color: "fg",
      borderWidth: "1px",
      borderColor: "border",
      borderInlineStartWidth: "4px",
      borderInlineStartColor: "var(--toast-edge)",
      borderRadius: "l2",
      boxShadow: "lg",
      translate: "var(--x) var(--y)",
      scale: "var(--scale)",
      zIndex: "var(--z-index)",
      height: "var(--height)",
      opacity: "var(--opacity)",
      transition: "translate 250ms, opacity 250ms",
      ...announcement("success"),
      ...announcement("error"),
    },
    title: { fontWeight: "semibold", textStyle: "sm" },
    description: { textStyle: "sm", color: "fg.muted" },
    closeTrigger: {
      position: "absolute",
      top: "2",
      insetEnd: "2",
      boxSize: "7",
      display: "inline-flex",
      alignItems: "center",
      justifyContent: "center",
      borderRadius: "l1",
      cursor: "button",
      focusVisibleRing: "inside",
      _icon: { boxSize: "4" },
    },
  },
});
