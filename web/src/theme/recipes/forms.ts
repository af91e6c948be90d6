import { defineRecipe, defineSlotRecipe } from "@chakra-ui/react/styled-system";

export const input = defineRecipe({
  className: "vl-input",
  base: {
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
