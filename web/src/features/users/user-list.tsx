import { Button } from "@chakra-ui/react/button";
import { Flex } from "@chakra-ui/react/flex";
import type { User } from "@vitaline/contract";
import SearchX from "lucide-react/dist/esm/icons/search-x.mjs";
import { Empty } from "../../components/feedback/empty.tsx";
import { LoadMore, useSteps } from "../../components/table/load-more.tsx";
import { SearchField } from "../../components/form/search-field.tsx";
import { SortPicker } from "../../components/table/sorting.tsx";
import type { SortedBy, useUserList } from "./use-user-list.ts";
import { UserTable } from "./user-table.tsx";

const titles: Record<SortedBy, string> = {
  email: "Email",
  name: "Name",
  role: "Role",
  tenant: "Tenant",
  status: "Status",
  "last-login": "Last Login",
  created: "Created",
};

type Props = { list: ReturnType<typeof useUserList>; onEdit: (user: User) => void };

/** The search, what it finds, and how much of that is shown. */
export const UserList = ({ list: { pages, found, typed, isSearch, search, columnSort, picker }, onEdit }: Props) => {
  const shown = useSteps(found, pages);
  return (
    <>
      <Flex gap="3" wrap="wrap" mb="4">
        <SearchField label="Search users" placeholder="Search by email, name or organization" value={typed} onSearch={search} />
        <SortPicker {...picker} ownOrder="Oldest first" titles={titles} />
      </Flex>
      {found.length === 0 && isSearch && !pages.hasMore ? (
        <Empty icon={SearchX} title="No users found" description="Nobody's email, name or organization has all of these words.">
          <Button size="sm" variant="outline" onClick={() => search("")}>
            Clear search
          </Button>
        </Empty>
      ) : (
        <>
          <UserTable users={shown.data} columnSort={columnSort} onEdit={onEdit} />
          <LoadMore pages={shown} what="users" />
        </>
      )}
    </>
  );
};
