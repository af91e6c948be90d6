import { Button } from "@chakra-ui/react/button";
import { Flex } from "@chakra-ui/react/flex";
import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import { useId, useState } from "react";
import { type Plan, tenants } from "@vitaline/contract";
import type { useFocusLater } from "../../../lib/dom/use-later-focus.ts";
import { DateTime } from "../../../components/data/text.tsx";
import { type ErasureHandlers, TenantErasures } from "../../erasures/tenant-erasures.tsx";
import { DetailsForm } from "./details-form.tsx";
import type { TenantRecord } from "./details-values.ts";
import type { TenantFormProps } from "../use-tenant.ts";
import { ViewAsTenant } from "./view-as-tenant.tsx";
import { ActiveBadge } from "../../../components/data/badges.tsx";
import { DetailList } from "../../../components/table/detail-list.tsx";
import { formatCount, formatDollars } from "../../../lib/format/numbers.ts";
import { organizationTypeNames } from "../../../lib/format/labels.ts";
import { useApi } from "../../../lib/api/use-api.ts";
import { Loadable, ShortSkeleton } from "../../../components/feedback/loadable.tsx";
import { Minutes, formatMonth } from "../../tenant-dashboard/month-usage.tsx";

type Props = TenantFormProps & {
  edit: ReturnType<typeof useFocusLater<HTMLButtonElement>>;
  hasDrafts: boolean;
  onInvite: () => void;
  erasing: ErasureHandlers;
};

export const DetailsPart = ({ edit: { button, focusLater }, hasDrafts, onInvite, erasing, ...saving }: Props) => {
  const { tenant } = saving;
  const [isEditing, setIsEditing] = useState(false);
  const leave = () => {
    setIsEditing(false);
    focusLater();
  };
  return (
    <Stack gap="6">
      <Flex gap="2" wrap="wrap" align="center" justify="space-between">
        <chakra.p textStyle="sm" color="fg.muted">
          Created {tenant.createdAt ? <DateTime at={tenant.createdAt} /> : "N/A"}
        </chakra.p>
        <Flex gap="2" wrap="wrap">
          <Button
            ref={button}
            size="sm"
            variant={isEditing ? "outline" : "solid"}
            onClick={() => (isEditing ? leave() : setIsEditing(true))}
          >
            {isEditing ? "Cancel" : "Edit"}
            <VisuallyHidden>{isEditing ? " editing" : " details"}</VisuallyHidden>
          </Button>
          <Button size="sm" variant="outline" aria-haspopup="dialog" onClick={onInvite}>
            Invite tenant admin
          </Button>
          {tenant.isActive ? <ViewAsTenant tenantId={tenant.id} hasDrafts={hasDrafts} /> : null}
        </Flex>
      </Flex>
      {isEditing ? (
        <DetailsForm {...saving} onDone={leave} />
      ) : (
        <>
          <TenantFacts tenant={tenant} />
          <UsagePart tenantId={tenant.id} />
          <TenantErasures tenantId={tenant.id} ask={erasing.ask} open={erasing.open} />
        </>
      )}
    </Stack>
  );
};

const TenantFacts = ({ tenant }: { tenant: TenantRecord }) => {
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

const text = (value: string | null) =>
  value === null ? <chakra.span color="fg.muted">Not set</chakra.span> : <chakra.span whiteSpace="pre-line">{value}</chakra.span>;

const planDetails = (plan: Plan | null) =>
  [
    ["Plan name", text(plan?.name ?? null)],
    ["US dollars per month", text(plan && formatDollars(plan.monthlyPrice))],
    ["Minutes included", text(plan && formatCount(plan.bundledMinutes))],
  ] as const;

const UsagePart = ({ tenantId }: { tenantId: string }) => {
  const titleId = useId();
  const usage = useApi(tenants.tenantUsage, { params: { tenantId } }, { fresh: true });
  return (
    <chakra.section aria-labelledby={titleId} borderTopWidth="1px" borderColor="border" pt="5">
      <chakra.h3 id={titleId} fontWeight="semibold">
        Usage
      </chakra.h3>
      <chakra.p textStyle="sm" color="fg.muted" mb="4">
        {usage.data ? formatMonth(usage.data.month) : "This month"}
      </chakra.p>
      <Loadable loaded={usage} what="usage" skeleton={<ShortSkeleton />}>
        {(found) => <Minutes usage={found} noPlan="No plan is set: press Edit to set one." />}
      </Loadable>
    </chakra.section>
  );
};
