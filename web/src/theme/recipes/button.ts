import { defineRecipe } from "@chakra-ui/react/styled-system";

const size = (height: string, px: string, textStyle: string, icon: string) => ({
  h: height,
  minW: height,
  px,
  textStyle,
  gap: "2",
  _icon: { boxSize: icon },
});

export const button = defineRecipe({
  className: "vl-button",
  base: {
    display: "inline-flex",
    alignItems: "center",
    justifyContent: "center",
    appearance: "none",
    flexShrink: "0",
    position: "relative",
    borderRadius: "l2",
    borderWidth: "1px",
    borderColor: "transparent",
    cursor: "button",
    fontWeight: "semibold",
    whiteSpace: "nowrap",
    userSelect: "none",
    outline: "0",
    focusVisibleRing: "outside",
    transitionProperty: "background, border-color, color",
    transitionDuration: "fast",
    _disabled: { layerStyle: "disabled" },
    _icon: { flexShrink: "0" },
  },
  variants: {
    size: { sm: size("9", "3.5", "sm", "4"), md: size("10", "4", "sm", "4"), lg: size("12", "5", "md", "5") },
    variant: {
      solid: {
        bg: "colorPalette.solid",
        color: "colorPalette.contrast",
        boxShadow: "xs",
        _hover: { bg: { _light: "colorPalette.800", _dark: "colorPalette.200" } },
      },
      outline: { bg: "bg.panel", color: "fg", borderColor: "border.emphasized", _hover: { bg: "bg.muted" } },
      ghost: { bg: "transparent", color: "fg", _hover: { bg: "bg.muted" } },
    },
  },
  defaultVariants: { size: "md", variant: "solid" },
});
