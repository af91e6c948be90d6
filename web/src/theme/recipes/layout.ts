import { defineRecipe } from "@chakra-ui/react/styled-system";

export const container = defineRecipe({
  className: "vl-container",
  base: { position: "relative", maxWidth: "6xl", w: "100%", mx: "auto", px: { base: "4", sm: "6", lg: "8" } },
});

export const skipNavLink = defineRecipe({
  className: "vl-skip-nav",
  base: {
    position: "fixed",
    top: "3",
    insetStart: "3",
    zIndex: "skipNav",
    px: "4",
    py: "2.5",
    bg: "bg.panel",
    color: "fg",
    borderRadius: "l2",
    boxShadow: "lg",
    textStyle: "sm",
    fontWeight: "semibold",
    focusVisibleRing: "outside",
    "&:not(:focus-visible)": { transform: "translateY(-200%)", boxShadow: "none" },
  },
});

export const spinner = defineRecipe({
  className: "vl-spinner",
  base: {
    display: "inline-block",
    width: "var(--spinner-size)",
    height: "var(--spinner-size)",
    borderWidth: "2px",
    borderStyle: "solid",
    borderColor: "currentColor",
    borderBottomColor: "transparent",
    borderInlineStartColor: "transparent",
    borderRadius: "full",
    animation: "spin",
  },
  variants: { size: { inherit: { "--spinner-size": "1em" }, md: { "--spinner-size": "sizes.5" }, lg: { "--spinner-size": "sizes.8" } } },
  defaultVariants: { size: "md" },
});

export const skeleton = defineRecipe({
  className: "vl-skeleton",
  variants: {
    loading: {
      true: {
        bg: "bg.emphasized",
        borderRadius: "l1",
        animation: "pulse",
        color: "transparent",
        pointerEvents: "none",
        userSelect: "none",
      },
      false: {},
    },
  },
  defaultVariants: { loading: true },
});
