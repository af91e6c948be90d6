const text = (fontSize: string, lineHeight: string, letterSpacing?: string) => ({
  value: { fontSize, lineHeight, ...(letterSpacing ? { letterSpacing } : {}) },
});

export const textStyles = {
  xs: text("xs", "1rem"),
  sm: text("sm", "1.25rem"),
  md: text("md", "1.625rem"),
  lg: text("lg", "1.875rem"),
  xl: text("xl", "1.875rem", "-0.01em"),
  "2xl": text("2xl", "2rem", "-0.015em"),
  "3xl": text("3xl", "2.375rem", "-0.02em"),
  "4xl": text("4xl", "2.75rem", "-0.025em"),
  "5xl": text("5xl", "3.375rem", "-0.03em"),
  label: { value: { fontSize: "xs", lineHeight: "1rem", fontWeight: "semibold", letterSpacing: "0.08em", textTransform: "uppercase" } },
};

export const layerStyles = { disabled: { value: { opacity: "0.55", cursor: "not-allowed" } } };

export const keyframes = {
  spin: { "0%": { transform: "rotate(0deg)" }, "100%": { transform: "rotate(360deg)" } },
  pulse: { "50%": { opacity: "0.5" } },
};

export const globalCss = {
  "*": { "--global-font-mono": "fonts.mono", "--global-font-body": "fonts.body", "--global-color-border": "colors.border" },
  html: { color: "fg", bg: "bg", lineHeight: "1.5", colorPalette: "teal", scrollPaddingTop: "5rem", overflowY: "scroll" },
  "*::placeholder": { color: "fg.muted" },
  "*::selection": { bg: "teal.emphasized/60" },
  // Headings take the focus after navigation, and main after the skip link; they are not controls.
  ":is(h1, main)[tabindex='-1']": { outline: "none" },
  "@media (prefers-reduced-motion: reduce)": {
    "*, *::before, *::after": {
      animationDuration: "0.01ms !important",
      animationIterationCount: "1 !important",
      // A short duration would not do: with "all" as the initial property, a new color would move down the tree one frame per level.
      transitionProperty: "none !important",
      scrollBehavior: "auto !important",
    },
  },
};
