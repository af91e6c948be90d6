import { Button } from "@chakra-ui/react/button";
import { Flex } from "@chakra-ui/react/flex";
import { chakra } from "@chakra-ui/react/styled-system";
import { tenantAudit } from "@vitaline/contract";
import { Text } from "@chakra-ui/react/text";
import CircleDashed from "lucide-react/dist/esm/icons/circle-dashed.mjs";
import ShieldCheck from "lucide-react/dist/esm/icons/shield-check.mjs";
import TriangleAlert from "lucide-react/dist/esm/icons/triangle-alert.mjs";
import { explain } from "../../lib/api/api-error.ts";
import { useApi } from "../../lib/api/use-api.ts";
import { formatMoment, useZone } from "../../lib/format/times.ts";
import { type Claim, complianceClaims } from "./compliance-claims.ts";
import { TextLink } from "../../components/layout/links.tsx";

export const ComplianceBadges = () => {
  const { data, error, isLoading, isRefreshing, refresh } = useApi(tenantAudit.auditStatus, {});
  const zone = useZone();
  return (
    <div>
      <chakra.ul
        listStyleType="none"
        aria-label="Compliance"
        aria-busy={isLoading}
        display="grid"
        gap="3"
        gridTemplateColumns={{ base: "1fr", lg: "repeat(3, minmax(0, 1fr))" }}
      >
        {complianceClaims(data, (instant) => formatMoment(instant, zone)).map((claim) => (
          <ClaimBadge key={claim.name} claim={claim} isLoading={isLoading} />
        ))}
      </chakra.ul>
      {error === undefined ? null : (
        <Flex role="alert" align="center" wrap="wrap" gap="3" mt="3" textStyle="sm" color="fg.error">
          <span>{`Failed to load the last verification: ${explain(error)}`}</span>
          <Button size="sm" variant="outline" onClick={refresh}>
            {isRefreshing ? "Retrying..." : "Retry"}
          </Button>
        </Flex>
      )}
    </div>
  );
};

const looks = {
  holds: { icon: ShieldCheck, colorPalette: "green" },
  open: { icon: CircleDashed, colorPalette: "gray" },
  broken: { icon: TriangleAlert, colorPalette: "red" },
} as const;

const ClaimBadge = ({ claim: { title, state, evidence }, isLoading }: { claim: Claim; isLoading: boolean }) => {
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
