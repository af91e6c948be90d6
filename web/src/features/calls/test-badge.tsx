import { Badge } from "@chakra-ui/react/badge";

/** Of a call that was made in the console. */
export const TestBadge = () => (
  <Badge colorPalette="purple" flexShrink="0">
    Test
  </Badge>
);
