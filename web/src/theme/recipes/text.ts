import { defineRecipe } from "@chakra-ui/react/styled-system";

const sizes = ["sm", "md", "lg", "xl", "2xl", "3xl", "4xl", "5xl"];

export const heading = defineRecipe({
  className: "vl-heading",
  base: { fontFamily: "heading", fontWeight: "semibold", textWrap: "balance" },
  variants: { size: Object.fromEntries(sizes.map((size) => [size, { textStyle: size }])) },
  defaultVariants: { size: "xl" },
});

export const link = defineRecipe({
  className: "vl-link",
  base: {
    display: "inline-flex",
    alignItems: "center",
    gap: "1.5",
    outline: "none",
    cursor: "pointer",
    borderRadius: "l1",
    focusVisibleRing: "outside",
    color: "colorPalette.fg",
    fontWeight: "medium",
  },
  variants: {
    variant: {
      underline: {
        textDecoration: "underline",
        textUnderlineOffset: "3px",
        textDecorationThickness: "1px",
        _hover: { textDecorationThickness: "2px" },
      },
      plain: { color: "inherit", _hover: { color: "colorPalette.fg" } },
    },
  },
  defaultVariants: { variant: "underline" },
});

export const badge = defineRecipe({
  className: "vl-badge",
  base: {
    display: "inline-flex",
    alignItems: "center",
    gap: "1.5",
    borderRadius: "full",
    fontWeight: "semibold",
    fontVariantNumeric: "tabular-nums",
    whiteSpace: "nowrap",
  },
  variants: {
    variant: {
      solid: { bg: "colorPalette.solid", color: "colorPalette.contrast" },
      subtle: { bg: "colorPalette.subtle", color: "colorPalette.fg" },
      outline: { color: "fg.muted", boxShadow: "inset 0 0 0 1px {colors.border.emphasized}" },
    },
    size: { sm: { textStyle: "xs", px: "2.5", minH: "6" } },
  },
  defaultVariants: { variant: "subtle", size: "sm" },
});
