import { Button } from "@chakra-ui/react/button";
import { Flex } from "@chakra-ui/react/flex";
import { chakra } from "@chakra-ui/react/styled-system";
import { tenantAudit } from "@vitaline/contract";
import { explain } from "../../lib/api/api-error.ts";
import { useApi } from "../../lib/api/use-api.ts";
import { formatMoment, useZone } from "../../lib/format/times.ts";
import { ClaimBadge } from "./claim-badge.tsx";
import { claimsOf } from "./compliance-claims.ts";

/** The platform's promises about this log, each beside what it rests on. */
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
        {claimsOf(data, (instant) => formatMoment(instant, zone)).map((claim) => (
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
