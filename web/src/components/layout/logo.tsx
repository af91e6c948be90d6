import { chakra } from "@chakra-ui/react/styled-system";
import { Button } from "@chakra-ui/react/button";
import Moon from "lucide-react/dist/esm/icons/moon.mjs";
import Sun from "lucide-react/dist/esm/icons/sun.mjs";
import { setColorMode, useColorMode } from "../../lib/dom/color-mode.ts";

export const ColorModeButton = () => {
  const next = useColorMode() === "dark" ? "light" : "dark";
  const label = `Switch to ${next} mode`;
  return (
    <Button variant="ghost" size="md" px="0" aria-label={label} title={label} onClick={() => setColorMode(next)}>
      {next === "dark" ? <Moon aria-hidden /> : <Sun aria-hidden />}
    </Button>
  );
};

export const Logo = () => (
  <chakra.span display="inline-flex" alignItems="center" gap="2.5" fontWeight="bold" textStyle="lg" letterSpacing="tight" color="inherit">
    <chakra.svg viewBox="0 0 32 32" boxSize="8" aria-hidden focusable="false">
      <rect width="32" height="32" rx="9" fill="var(--vl-colors-teal-solid)" />
      <path
        d="M5 17h5l2.5-7 4.5 13 3-9 1.8 3H27"
        fill="none"
        stroke="var(--vl-colors-teal-contrast)"
        strokeWidth="2.4"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </chakra.svg>
    Vitaline
  </chakra.span>
);
