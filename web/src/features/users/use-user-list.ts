import { type User, users } from "@vitaline/contract";
import { usePages } from "../../lib/api/use-pages.ts";
import { useRest } from "../../lib/api/use-all.ts";
import { roleNames } from "../../lib/session/areas.ts";
import { useSearchText } from "../../lib/routing/search-params.ts";
import { useSorting } from "../../components/table/sorting.tsx";
import { matchesSearch, isOnlyInvited, nameOf } from "./user-status.tsx";

const values = {
  email: ({ email }: User) => email,
  name: nameOf,
  role: ({ role }: User) => roleNames[role],
  tenant: ({ tenantName }: User) => tenantName ?? "",
  status: (user: User) => (isOnlyInvited(user) ? "Invited" : user.isActive ? "Active" : "Inactive"),
  "last-login": ({ lastLogin }: User) => lastLogin ?? "",
  created: ({ createdAt }: User) => createdAt,
};
export type SortedBy = keyof typeof values;

/** The search and the order are kept in the address, except for an email address. */
export const useUserList = () => {
  const pages = usePages(users.listUsers, {});
  const [typed, setTyped] = useSearchText("q");
  const sorting = useSorting(values);
  const isSearch = typed.trim() !== "";
  // Searching and sorting need the complete list.
  useRest(pages, isSearch || sorting.isSorted);
  const found = sorting.sorted((pages.data ?? []).filter((user) => matchesSearch(user, typed)));
  return { pages, found, typed, isSearch, search: setTyped, ...sorting };
};
