import { defaultBaseConfig } from "@chakra-ui/react/preset-base";
import { createSystem } from "@chakra-ui/react/styled-system";
import { base, publicRecipes } from "./base.ts";

/** Recipes are listed one by one: a whole theme would weigh more than the pages. */
export const systemPublic = createSystem(defaultBaseConfig, base, { theme: publicRecipes });
