import { scale } from "./scale.ts";

const shades = ["50", "100", "200", "300", "400", "500", "600", "700", "800", "900", "950"] as const;

const palette = (...hexes: string[]) => scale(Object.fromEntries(shades.map((shade, index) => [shade, hexes[index] ?? ""])));

/** Ink-tinted greys, one accent (teal), one companion (deep blue) and four signals. */
export const palettes = {
  ...scale({ transparent: "transparent", current: "currentColor", black: "#07121B", white: "#FFFFFF" }),
  gray: palette("#F5F8FA", "#EBF0F4", "#DCE4EA", "#C3CFD9", "#93A4B2", "#657888", "#4A5C6B", "#334452", "#1E2E3B", "#122130", "#0A1620"),
  teal: palette("#EEFAF8", "#D5F2EE", "#A9E4DD", "#72CFC6", "#3FB3AA", "#1E958E", "#107873", "#0B5F5D", "#0C4A4B", "#0B3338", "#071F24"),
  blue: palette("#EFF5FC", "#DCE9F8", "#BAD3F1", "#8EB5E6", "#5A8FD5", "#3470BE", "#22579E", "#1B4580", "#173862", "#112A49", "#0B1C33"),
  green: palette("#EFFAF2", "#D8F3E0", "#B2E5C3", "#7FCF9B", "#4BB272", "#2B9556", "#1D7743", "#175E37", "#144A2D", "#0F3522", "#082116"),
  red: palette("#FDF2F1", "#FBE0DE", "#F6C2BE", "#EF9992", "#E46A62", "#D2433B", "#B3312B", "#912722", "#6F201D", "#4B1917", "#2E0F0E"),
  yellow: palette("#FEF9E3", "#FCF0BC", "#F8E183", "#F1CC46", "#DDB11F", "#B98F10", "#93700B", "#735709", "#584309", "#3D2F09", "#251C06"),
  orange: palette("#FEF6EC", "#FCE9CE", "#F8D09A", "#F1B163", "#E39136", "#C7741B", "#A15A12", "#814611", "#633712", "#43270F", "#2A1808"),
};
