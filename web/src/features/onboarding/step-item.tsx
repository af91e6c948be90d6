import { Badge } from "@chakra-ui/react/badge";
import { Box } from "@chakra-ui/react/box";
import { chakra } from "@chakra-ui/react/styled-system";
import { Text } from "@chakra-ui/react/text";
import CircleCheck from "lucide-react/dist/esm/icons/circle-check.mjs";
import Circle from "lucide-react/dist/esm/icons/circle.mjs";
import { ButtonLink } from "../../components/layout/links.tsx";
import type { Step } from "./steps.ts";

type Props = { step: Step; /** The first that is still to be done. */ isNext: boolean };

/** One step: done, or the way to where one does it. */
export const StepItem = ({ step: { title, text, isDone, tab, action }, isNext }: Props) => (
  <chakra.li
    display="flex"
    flexWrap={{ base: "wrap", sm: "nowrap" }}
    alignItems="center"
    columnGap="4"
    rowGap="2"
    py="3"
    borderColor="border.muted"
    _notFirst={{ borderTopWidth: "1px" }}
  >
    <Box color={isDone ? "green.fg" : "fg.muted"} flexShrink="0" alignSelf="flex-start" mt="0.5">
      {isDone ? <CircleCheck width={20} height={20} aria-hidden /> : <Circle width={20} height={20} aria-hidden />}
    </Box>
    <Box flex="1" minW="0">
      <Text fontWeight="semibold">{title}</Text>
      <Text textStyle="sm" color="fg.muted">
        {text}
      </Text>
    </Box>
    {isDone ? (
      <Badge colorPalette="green">Done</Badge>
    ) : (
      <ButtonLink
        to={{ search: `?tab=${tab}` }}
        size="sm"
        variant={isNext ? "solid" : "outline"}
        ms={{ base: "9", sm: "0" }}
        flexBasis={{ base: "calc(100% - 2.25rem)", sm: "auto" }}
      >
        {action}
      </ButtonLink>
    )}
  </chakra.li>
);
