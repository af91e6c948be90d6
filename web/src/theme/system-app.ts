import { defaultBaseConfig } from "@chakra-ui/react/preset-base";
import { createSystem } from "@chakra-ui/react/styled-system";
import { base, publicRecipes } from "./base.ts";
import { emptyState, stat, tabs, toast } from "./recipes/data.ts";
import { skeleton } from "./recipes/layout.ts";

export const systemApp = createSystem(defaultBaseConfig, base, {
  theme: {
    recipes: { ...publicRecipes.recipes, skeleton },
    slotRecipes: { ...publicRecipes.slotRecipes, emptyState, stat, tabs, toast },
  },
});
