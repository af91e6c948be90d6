import { Button } from "@chakra-ui/react/button";
import { chakra } from "@chakra-ui/react/styled-system";
import { Text } from "@chakra-ui/react/text";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";

type Props = { name: string; whose: string; isActive: boolean; value: string; isOwn: boolean; onChange: () => void };

/** One that can be given a record system, and which it has. */
export const AssignmentLine = ({ name, whose, isActive, value, isOwn, onChange }: Props) => (
  <chakra.li display="flex" flexWrap="wrap" alignItems="center" columnGap="4" rowGap="1" py="1.5">
    <Text textStyle="sm" color="fg.muted" flex="1 1 9rem" minW="0" overflowWrap="anywhere">
      {name}
      {isActive ? null : " (Inactive)"}
    </Text>
    <Text textStyle="sm" flex="1 1 9rem" minW="0" overflowWrap="anywhere" color={isOwn ? "fg" : "fg.muted"}>
      {value}
    </Text>
    <Button size="sm" variant="outline" onClick={onChange}>
      Change
      <VisuallyHidden>{` the FHIR provider of ${whose}`}</VisuallyHidden>
    </Button>
  </chakra.li>
);
