import { defineConfig } from "@chakra-ui/react/styled-system";
import { modes } from "./scale.ts";
import { semanticColors } from "./semantic-colors.ts";
import { globalCss, keyframes, layerStyles, textStyles } from "./styles.ts";
import { tokens } from "./tokens.ts";
import { button } from "./recipes/button.ts";
import { field, input, nativeSelect, textarea } from "./recipes/forms.ts";
import { container, skipNavLink, spinner } from "./recipes/layout.ts";
import { alert, card } from "./recipes/surfaces.ts";
import { badge, heading, link } from "./recipes/text.ts";

export const base = defineConfig({
  preflight: true,
  cssVarsPrefix: "vl",
  cssVarsRoot: ":where(:root, :host)",
  globalCss,
  theme: {
    breakpoints: { sm: "480px", md: "768px", lg: "1024px", xl: "1280px" },
    keyframes,
    tokens,
    semanticTokens: {
      colors: semanticColors,
      radii: { l1: { value: "{radii.xs}" }, l2: { value: "{radii.sm}" }, l3: { value: "{radii.lg}" } },
      shadows: {
        xs: modes("0 1px 2px {colors.gray.900/6}", "0 1px 2px {black/50}"),
        sm: modes("0 1px 3px {colors.gray.900/8}, 0 1px 2px {colors.gray.900/4}", "0 1px 3px {black/60}"),
        lg: modes(
          "0 18px 40px -16px {colors.blue.900/22}, 0 2px 6px {colors.gray.900/6}",
          "0 18px 40px -16px {black/80}, 0 2px 6px {black/50}",
        ),
      },
    },
    textStyles,
    layerStyles,
  },
});

export const publicRecipes = {
  recipes: { badge, button, container, heading, input, link, skipNavLink, spinner, textarea },
  slotRecipes: { alert, card, field, nativeSelect },
};
