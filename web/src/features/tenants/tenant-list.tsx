import { Button } from "@chakra-ui/react/button";
import { Flex } from "@chakra-ui/react/flex";
import type { Tenant } from "@vitaline/contract";
import SearchX from "lucide-react/dist/esm/icons/search-x.mjs";
import { Empty } from "../../components/feedback/empty.tsx";
import { LoadMore, useSteps } from "../../components/table/load-more.tsx";
import { Picker } from "../../components/form/inline-select.tsx";
import { SearchField } from "../../components/form/search-field.tsx";
import { SortPicker } from "../../components/table/sorting.tsx";
import { type Opening, TenantTable } from "./tenant-table.tsx";
import type { SortedBy, useTenantList } from "./use-tenant-list.ts";

const titles: Record<SortedBy, string> = { name: "Name", type: "Type", email: "Contact Email", status: "Status", created: "Created" };
const statuses = [
  ["", "All statuses"],
  ["active", "Active"],
  ["inactive", "Inactive"],
] as const;

type List = ReturnType<typeof useTenantList>;
type Props = { list: List; onOpen: (tenant: Tenant, how: Opening) => void };

const Filters = ({ list: { typed, status, search, pickStatus, picker } }: { list: List }) => (
  <Flex gap="3" wrap="wrap" mb="4">
    <SearchField label="Search tenants" placeholder="Search by name, type or contact email" value={typed} onSearch={search} />
    <Picker label="Status" value={status ?? ""} options={statuses} onPick={pickStatus} />
    <SortPicker {...picker} ownOrder="Oldest first" titles={titles} />
  </Flex>
);

/** The search, what it finds, and how much of that is shown. */
export const TenantList = ({ list, onOpen }: Props) => {
  const { pages, found, isNarrowed, clear, columnSort } = list;
  const shown = useSteps(found, pages);
  const isNothingFound = found.length === 0 && isNarrowed && !pages.hasMore;
  return (
    <>
      <Filters list={list} />
      {isNothingFound ? (
        <Empty icon={SearchX} title="No matching tenants" description="No organization has all of these words and this status.">
          <Button size="sm" variant="outline" onClick={clear}>
            Clear search
          </Button>
        </Empty>
      ) : (
        <>
          <TenantTable tenants={shown.data} columnSort={columnSort} onOpen={onOpen} />
          <LoadMore pages={shown} what="tenants" />
        </>
      )}
    </>
  );
};
