import { modes } from "./scale.ts";

/** The eight roles of a color palette in recipes; solid shades reach AA contrast for text in both modes. */
const roles = (name: string) => ({
  contrast: modes("{colors.white}", `{colors.${name}.950}`),
  fg: modes(`{colors.${name}.700}`, `{colors.${name}.300}`),
  subtle: modes(`{colors.${name}.100}`, `{colors.${name}.900}`),
  muted: modes(`{colors.${name}.200}`, `{colors.${name}.800}`),
  emphasized: modes(`{colors.${name}.300}`, `{colors.${name}.700}`),
  solid: modes(`{colors.${name}.700}`, `{colors.${name}.300}`),
  focusRing: modes(`{colors.${name}.500}`, `{colors.${name}.400}`),
  border: modes(`{colors.${name}.500}`, `{colors.${name}.400}`),
});

export const semanticColors = {
  bg: {
    DEFAULT: modes("{colors.white}", "{colors.gray.950}"),
    subtle: modes("{colors.gray.50}", "#0C1A25"),
    muted: modes("{colors.gray.100}", "#152634"),
    emphasized: modes("{colors.gray.200}", "#203443"),
    panel: modes("{colors.white}", "#0F1F2C"),
    error: modes("{colors.red.50}", "{colors.red.950}"),
  },
  fg: {
    DEFAULT: modes("{colors.gray.900}", "{colors.gray.50}"),
    muted: modes("{colors.gray.600}", "#A3B3C0"),
    error: modes("{colors.red.600}", "{colors.red.300}"),
    success: modes("{colors.green.600}", "{colors.green.300}"),
  },
  border: {
    DEFAULT: modes("{colors.gray.200}", "#213543"),
    muted: modes("{colors.gray.100}", "#182936"),
    // Edges of controls: 3:1 against their background (WCAG 1.4.11).
    emphasized: modes("#7A8D9C", "#607688"),
    error: modes("{colors.red.500}", "{colors.red.400}"),
  },
  // The generic shades would match the color of a dark panel.
  gray: { ...roles("gray"), subtle: modes("{colors.gray.100}", "#263A49"), muted: modes("{colors.gray.200}", "{colors.gray.700}") },
  teal: roles("teal"),
  blue: roles("blue"),
  green: roles("green"),
  red: roles("red"),
  yellow: roles("yellow"),
  orange: roles("orange"),
};
