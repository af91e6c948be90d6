import { Badge } from "@chakra-ui/react/badge";
import { Text } from "@chakra-ui/react/text";
import { usePublicConfig } from "../../lib/api/public-config.ts";

/** The line above a page's title: the promotion while places are left, else what the page says anyway. Both are as tall. */
export const Promotion = ({ otherwise }: { otherwise: string }) => {
  const promotion = usePublicConfig()?.promotion;
  return (
    <Text as="p" textStyle="label" color="teal.fg" minH="6" mb="4" display="flex" alignItems="center">
      {promotion?.active ? (
        <Badge textTransform="none" letterSpacing="normal" whiteSpace="normal">
          {`${promotion.label}: ${promotion.remaining} ${promotion.remaining === 1 ? "place" : "places"} left`}
        </Badge>
      ) : (
        otherwise
      )}
    </Text>
  );
};
