import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import type { Plan } from "@vitaline/contract";
import { useId } from "react";
import { ActiveBadge } from "../../components/data/badges.tsx";
import { DetailList } from "../../components/table/detail-list.tsx";
import { formatCount, formatDollars } from "../../lib/format/numbers.ts";
import { organizationTypeNames } from "../../lib/format/labels.ts";
import type { Facts } from "./details-values.ts";

const text = (value: string | null) =>
  value === null ? <chakra.span color="fg.muted">Not set</chakra.span> : <chakra.span whiteSpace="pre-line">{value}</chakra.span>;

const planDetails = (plan: Plan | null) =>
  [
    ["Plan name", text(plan?.name ?? null)],
    ["US dollars a month", text(plan && formatDollars(plan.monthlyPrice))],
    ["Minutes included", text(plan && formatCount(plan.bundledMinutes))],
  ] as const;

/** Who the organization is and what was agreed with it, to be read. */
export const TenantFacts = ({ tenant }: { tenant: Facts }) => {
  const planId = useId();
  return (
    <Stack gap="6">
      <DetailList
        details={[
          ["Organization name", text(tenant.name)],
          ["Organization type", organizationTypeNames[tenant.organizationType]],
          ["Contact email", text(tenant.contactEmail)],
          ["Contact phone", text(tenant.contactPhone)],
          ["Address", text(tenant.address)],
          ["Description", text(tenant.description)],
          ["Status", <ActiveBadge key="status" isActive={tenant.isActive} />],
        ]}
      />
      <chakra.section aria-labelledby={planId} borderTopWidth="1px" borderColor="border" pt="5">
        <chakra.h3 id={planId} fontWeight="semibold" mb="4">
          Plan
        </chakra.h3>
        <DetailList details={planDetails(tenant.plan)} />
      </chakra.section>
    </Stack>
  );
};
