import { chakra } from "@chakra-ui/react/styled-system";
import { Text } from "@chakra-ui/react/text";
import CircleDashed from "lucide-react/dist/esm/icons/circle-dashed.mjs";
import ShieldCheck from "lucide-react/dist/esm/icons/shield-check.mjs";
import TriangleAlert from "lucide-react/dist/esm/icons/triangle-alert.mjs";
import { TextLink } from "../../components/layout/links.tsx";
import type { Claim } from "./compliance-claims.ts";

const looks = {
  holds: { icon: ShieldCheck, colorPalette: "green" },
  open: { icon: CircleDashed, colorPalette: "gray" },
  broken: { icon: TriangleAlert, colorPalette: "red" },
} as const;

/** One promise and what it rests on; a broken one says where to ask. */
export const ClaimBadge = ({ claim: { title, state, evidence }, isLoading }: { claim: Claim; isLoading: boolean }) => {
  const { icon: Icon, colorPalette } = looks[state];
  return (
    <chakra.li
      display="flex"
      gap="3"
      p="4"
      borderWidth="1px"
      borderRadius="l2"
      colorPalette={colorPalette}
      borderColor="colorPalette.emphasized"
      bg="colorPalette.subtle"
      color="colorPalette.fg"
      minH={{ lg: "24" }}
    >
      <chakra.span flexShrink="0" mt="0.5">
        <Icon width={20} height={20} aria-hidden />
      </chakra.span>
      <div>
        <Text fontWeight="semibold" textStyle="sm">
          {title}
        </Text>
        <Text textStyle="sm" color="fg" mt="0.5">
          {isLoading ? "Checking the last verification..." : evidence}
          {state === "broken" ? (
            <>
              {" "}
              <TextLink to="/contact">Contact support</TextLink>
            </>
          ) : null}
        </Text>
      </div>
    </chakra.li>
  );
};
