import { defaultBaseConfig } from "@chakra-ui/react/preset-base";
import { createSystem } from "@chakra-ui/react/styled-system";
import { base, publicRecipes } from "./base.ts";
import { emptyState, stat, tabs, toast } from "./recipes/data.ts";
import { skeleton } from "./recipes/layout.ts";

const dense = (comfortable: string, compact: string) => ({
  value: { base: `{spacing.${comfortable}}`, _compact: `{spacing.${compact}}` },
});

/** Room for a finger. */
const touch = "@media (pointer: coarse)";
const { button, container, link } = publicRecipes.recipes;

/** Behind a sign-in: as wide as the window up to a line of very many columns, in the density that the user chose. */
export const systemApp = createSystem(defaultBaseConfig, base, {
  conditions: { compact: "[data-density=compact] &" },
  theme: {
    breakpoints: { "2xl": "1600px" },
    semanticTokens: {
      spacing: {
        row: dense("3", "1"),
        panel: dense("6", "4"),
        "panel-small": dense("5", "3"),
        panels: dense("5", "3"),
        page: dense("10", "5"),
      },
    },
    recipes: {
      ...publicRecipes.recipes,
      skeleton,
      button: { ...button, base: { ...button.base, [touch]: { minH: "11", minW: "11" } } },
      container: { ...container, base: { ...container.base, maxWidth: "108rem" } },
      link: { ...link, base: { ...link.base, minH: "6", minW: "6" } },
    },
    slotRecipes: {
      ...publicRecipes.slotRecipes,
      card: {
        ...publicRecipes.slotRecipes.card,
        variants: {
          size: {
            sm: { root: { "--card-padding": "spacing.panel-small" } },
            md: { root: { "--card-padding": "spacing.panel" } },
            lg: { root: { "--card-padding": { base: "spacing.6", sm: "spacing.8" } } },
          },
        },
      },
      emptyState,
      stat,
      tabs,
      toast,
    },
  },
});
