import { chakra } from "@chakra-ui/react/styled-system";

/** The one number that a panel is about. */
export const Figure = ({ value, caption }: { value: string; caption: string }) => (
  <chakra.p>
    <chakra.span display="block" textStyle="4xl" fontWeight="semibold" fontVariantNumeric="tabular-nums">
      {value}
    </chakra.span>
    <chakra.span textStyle="sm" color="fg.muted">
      {caption}
    </chakra.span>
  </chakra.p>
);
