import { chakra } from "@chakra-ui/react/styled-system";
import type { FhirProvider } from "@vitaline/contract";
import { connectionLooks } from "./provider-names.ts";

type Props = { status: FhirProvider["connectionStatus"]; /** As a step of the theme's sizes. */ size: "2" | "2.5" };

/** A connection's status as a colour, beside its word: green, red, or grey as long as nobody knows it. */
export const StatusDot = ({ status, size }: Props) => (
  <chakra.span
    colorPalette={connectionLooks[status].colorPalette}
    boxSize={size}
    borderRadius="full"
    bg="colorPalette.solid"
    flexShrink="0"
    aria-hidden
  />
);
