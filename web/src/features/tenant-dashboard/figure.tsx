import { chakra } from "@chakra-ui/react/styled-system";
import { Text } from "@chakra-ui/react/text";

/** A number that is read first, and what it counts. */
export const Figure = ({ value, unit }: { value: string; unit: string }) => (
  <Text>
    <chakra.span textStyle="3xl" fontWeight="semibold" fontVariantNumeric="tabular-nums" letterSpacing="tight">
      {value}
    </chakra.span>{" "}
    <chakra.span color="fg.muted">{unit}</chakra.span>
  </Text>
);
