import { chakra } from "@chakra-ui/react/styled-system";
import { tenants } from "@vitaline/contract";
import { useId } from "react";
import { useApi } from "../../lib/api/use-api.ts";
import { Loadable } from "../../components/feedback/loadable.tsx";
import { Minutes } from "../tenant-dashboard/month-usage.tsx";
import { ShortSkeleton } from "../tenant-dashboard/short-skeleton.tsx";
import { nameOfMonth } from "../tenant-dashboard/usage-words.ts";

/** The minutes of this month against the organization's plan. */
export const UsagePart = ({ tenantId }: { tenantId: string }) => {
  const titleId = useId();
  const usage = useApi(tenants.tenantUsage, { params: { tenantId } }, { fresh: true });
  return (
    <chakra.section aria-labelledby={titleId} borderTopWidth="1px" borderColor="border" pt="5">
      <chakra.h3 id={titleId} fontWeight="semibold">
        Usage
      </chakra.h3>
      <chakra.p textStyle="sm" color="fg.muted" mb="4">
        {usage.data ? nameOfMonth(usage.data.month) : "This month"}
      </chakra.p>
      <Loadable loaded={usage} what="usage" skeleton={<ShortSkeleton />}>
        {(found) => <Minutes usage={found} noPlan="No plan is set: press Edit to set one." />}
      </Loadable>
    </chakra.section>
  );
};
