import { Text } from "@chakra-ui/react/text";
import { BreakableName } from "../../components/data/text.tsx";

/** Ids and codes, which matter less than what they stand for. */
export const Small = ({ children }: { children: string }) => (
  <Text className="small" textStyle="xs" color="fg.muted" overflowWrap="anywhere">
    <BreakableName name={children} />
  </Text>
);
