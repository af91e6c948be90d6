import { Badge } from "@chakra-ui/react/badge";
import { chakra } from "@chakra-ui/react/styled-system";
import { healthLook } from "./health-look.ts";

/** A status as a dot and a word. */
export const HealthBadge = ({ status }: { status: string }) => {
  const { label, colorPalette } = healthLook(status);
  return (
    <Badge colorPalette={colorPalette} flexShrink="0">
      <chakra.span boxSize="2" borderRadius="full" bg="colorPalette.border" aria-hidden />
      {label}
    </Badge>
  );
};
