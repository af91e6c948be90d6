import { Button } from "@chakra-ui/react/button";
import Moon from "lucide-react/dist/esm/icons/moon.mjs";
import Sun from "lucide-react/dist/esm/icons/sun.mjs";
import { setColourMode, useColourMode } from "../app/colour-mode.ts";

export const ColourModeButton = () => {
  const next = useColourMode() === "dark" ? "light" : "dark";
  const label = `Switch to ${next} mode`;
  return (
    <Button variant="ghost" size="md" px="0" aria-label={label} title={label} onClick={() => setColourMode(next)}>
      {next === "dark" ? <Moon aria-hidden /> : <Sun aria-hidden />}
    </Button>
  );
};
