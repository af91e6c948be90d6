import { button } from "./recipes/button.ts";
import { field, input, nativeSelect, textarea } from "./recipes/forms.ts";
import { container, skipNavLink, spinner } from "./recipes/layout.ts";
import { alert, card } from "./recipes/surfaces.ts";
import { badge, heading, link } from "./recipes/text.ts";

export const publicRecipes = {
  recipes: { badge, button, container, heading, input, link, skipNavLink, spinner, textarea },
  slotRecipes: { alert, card, field, nativeSelect },
};
