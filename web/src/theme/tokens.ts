import { scale } from "./scale.ts";

const shades = ["50", "100", "200", "300", "400", "500", "600", "700", "800", "900", "950"] as const;

const palette = (...hexes: string[]) => scale(Object.fromEntries(shades.map((shade, index) => [shade, hexes[index] ?? ""])));

const palettes = {
  ...scale({ transparent: "transparent", current: "currentColor", black: "#07121B", white: "#FFFFFF" }),
  gray: palette("#F5F8FA", "#EBF0F4", "#DCE4EA", "#C3CFD9", "#93A4B2", "#657888", "#4A5C6B", "#334452", "#1E2E3B", "#122130", "#0A1620"),
  teal: palette("#EEFAF8", "#D5F2EE", "#A9E4DD", "#72CFC6", "#3FB3AA", "#1E958E", "#107873", "#0B5F5D", "#0C4A4B", "#0B3338", "#071F24"),
  blue: palette("#EFF5FC", "#DCE9F8", "#BAD3F1", "#8EB5E6", "#5A8FD5", "#3470BE", "#22579E", "#1B4580", "#173862", "#112A49", "#0B1C33"),
  green: palette("#EFFAF2", "#D8F3E0", "#B2E5C3", "#7FCF9B", "#4BB272", "#2B9556", "#1D7743", "#175E37", "#144A2D", "#0F3522", "#082116"),
  red: palette("#FDF2F1", "#FBE0DE", "#F6C2BE", "#EF9992", "#E46A62", "#D2433B", "#B3312B", "#912722", "#6F201D", "#4B1917", "#2E0F0E"),
  yellow: palette("#FEF9E3", "#FCF0BC", "#F8E183", "#F1CC46", "#DDB11F", "#B98F10", "#93700B", "#735709", "#584309", "#3D2F09", "#251C06"),
  orange: palette("#FEF6EC", "#FCE9CE", "#F8D09A", "#F1B163", "#E39136", "#C7741B", "#A15A12", "#814611", "#633712", "#43270F", "#2A1808"),
};

const quarters = [0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 11, 12, 14, 16, 20, 24, 28, 32, 40, 48, 56, 64, 72, 80, 96];
const steps = scale(Object.fromEntries(quarters.map((quarter) => [String(quarter), `${quarter / 4}rem`])));

/** web/index.html defines Figtree and the fonts that replace it until it has loaded. */
const sans = '"Figtree Variable", "Figtree as Arial", "Figtree as Roboto", "Figtree as Open Sans", system-ui, sans-serif';

export const tokens = {
  colors: palettes,
  spacing: steps,
  sizes: {
    ...steps,
    ...scale({
      xs: "20rem",
      sm: "24rem",
      md: "28rem",
      lg: "32rem",
      xl: "36rem",
      "2xl": "42rem",
      "3xl": "48rem",
      "4xl": "56rem",
      "5xl": "64rem",
      "6xl": "74rem",
      prose: "60ch",
      full: "100%",
      vh: "100vh",
      dvh: "100dvh",
      fit: "fit-content",
    }),
  },
  fonts: scale({ heading: sans, body: sans, mono: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace' }),
  fontSizes: scale({
    xs: "0.75rem",
    sm: "0.875rem",
    md: "1rem",
    lg: "1.125rem",
    xl: "1.25rem",
    "2xl": "1.5rem",
    "3xl": "1.875rem",
    "4xl": "2.375rem",
    "5xl": "3.125rem",
  }),
  fontWeights: scale({ normal: "400", medium: "500", semibold: "600", bold: "700" }),
  letterSpacings: scale({ tight: "-0.02em", wide: "0.02em", wider: "0.08em" }),
  lineHeights: scale({ short: 1.2, moderate: 1.5, tall: 1.65 }),
  radii: scale({ none: "0", xs: "0.25rem", sm: "0.5rem", md: "0.625rem", lg: "0.875rem", xl: "1.25rem", full: "9999px" }),
  zIndex: scale({ hide: -1, base: 0, docked: 10, sticky: 1100, skipNav: 1600, toast: 1700 }),
  durations: scale({ fast: "120ms", moderate: "180ms", slow: "300ms", slowest: "500ms" }),
  animations: scale({ spin: "spin 1s linear infinite", pulse: "pulse 1.6s ease-in-out infinite" }),
  cursor: scale({ button: "pointer", disabled: "not-allowed" }),
};
