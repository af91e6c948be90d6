import type { ApiKey, TenantInfo } from "@vitaline/contract";
import { ActiveBadge } from "../../components/data/badges.tsx";
import { DetailList } from "../../components/table/detail-list.tsx";
import { Moment } from "../../components/data/text.tsx";
import { formatDay, useZone } from "../../lib/format/times.ts";

type Props = {
  facts: Pick<TenantInfo, "organizationName" | "isActive" | "createdAt">;
  /** undefined as long as it is not known */ current: ApiKey | undefined;
};

/** Whose key it is and how it stands. */
export const KeyFacts = ({ facts: { organizationName, isActive, createdAt }, current }: Props) => {
  const zone = useZone();
  return (
    <DetailList
      details={[
        ["Status", <ActiveBadge key="status" isActive={isActive} />],
        ["Organization", organizationName || "Not set"],
        ["Created", createdAt ? formatDay(createdAt, zone) : "Unknown"],
        ["Current key", current && <CurrentKey key="current" current={current} />],
      ]}
    />
  );
};

export const CurrentKey = ({ current: { last4, createdAt, lastUsedAt } }: { current: ApiKey }) => (
  <>
    {`Ending in ${last4}, made `}
    <Moment at={createdAt} />
    {lastUsedAt === null ? ", never used" : ", last used "}
    {lastUsedAt === null ? null : <Moment at={lastUsedAt} />}
  </>
);
