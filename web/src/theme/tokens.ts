import { palettes } from "./palettes.ts";
import { scale } from "./scale.ts";

const quarters = [0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 11, 12, 14, 16, 20, 24, 28, 32, 40, 48, 56, 64, 72, 80, 96];
const steps = scale(Object.fromEntries(quarters.map((quarter) => [String(quarter), `${quarter / 4}rem`])));

const sans = 'Inter, ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';

/** System fonts only: nothing to download before the first paint. */
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
