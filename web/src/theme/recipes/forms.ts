import { defineRecipe, defineSlotRecipe } from "@chakra-ui/react/styled-system";

const control = {
  width: "100%",
  minWidth: "0",
  height: "11",
  px: "3",
  textStyle: "md",
  appearance: "none",
  outline: "0",
  bg: "bg.panel",
  color: "fg",
  borderWidth: "1px",
  borderColor: "border.emphasized",
  borderRadius: "l2",
  focusVisibleRing: "inside",
  _invalid: { borderColor: "border.error", focusRingColor: "border.error" },
  _disabled: { layerStyle: "disabled" },
} as const;

export const input = defineRecipe({ className: "vl-input", base: control });

export const textarea = defineRecipe({ className: "vl-textarea", base: { ...control, height: "auto", py: "2.5", resize: "vertical" } });

export const nativeSelect = defineSlotRecipe({
  className: "vl-select",
  slots: ["root", "field", "indicator"],
  base: {
    root: { width: "100%", position: "relative" },
    field: { ...control, pe: "9", cursor: "button", "& > option": { bg: "bg.panel" } },
    indicator: {
      position: "absolute",
      insetEnd: "3",
      top: "50%",
      transform: "translateY(-50%)",
      pointerEvents: "none",
      color: "fg.muted",
      _icon: { boxSize: "4" },
    },
  },
});

export const field = defineSlotRecipe({
  className: "vl-field",
  slots: ["root", "errorText", "helperText", "input", "label", "select", "textarea", "requiredIndicator"],
  base: {
    root: { display: "flex", flexDirection: "column", alignItems: "flex-start", gap: "1.5", width: "100%", position: "relative" },
    label: { display: "flex", gap: "1", textStyle: "sm", fontWeight: "semibold" },
    requiredIndicator: { color: "fg.error" },
    errorText: { display: "inline-flex", gap: "1", color: "fg.error", textStyle: "sm", fontWeight: "medium" },
    helperText: { color: "fg.muted", textStyle: "sm" },
  },
});
