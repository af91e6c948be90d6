import { Stack } from "@chakra-ui/react/stack";
import { Text } from "@chakra-ui/react/text";
import type { TenantAssignments } from "@vitaline/contract";
import { useState } from "react";
import type { LoadedPages } from "../../lib/api/use-pages.ts";
import { useRest } from "../../lib/api/use-all.ts";
import { LoadMore, useSteps } from "../../components/table/load-more.tsx";
import { SearchField } from "../../components/form/search-field.tsx";
import { hasWords, searchedFrom } from "../../lib/format/text.ts";
import { AssignmentList } from "./assignment-list.tsx";
import type { Place } from "./replaced.ts";

/** Tenants and offices a page. */
export const pageSize = 40;

const notFound = ({ hasMore, moreError }: Pick<LoadedPages<unknown>, "hasMore" | "moreError">): string => {
  if (!hasMore) return "No organization has this text in its name.";
  return moreError === undefined ? "Searching further..." : "None of the organizations that have loaded has this text in its name.";
};

type Props = {
  pages: LoadedPages<TenantAssignments>;
  /** Those that are here already. */ rows: readonly TenantAssignments[];
  onChange: (place: Place) => void;
};

/** The tenants that are looked for. Who looks for one is looked for among all, page after page. */
export const Assignments = ({ pages, rows, onChange }: Props) => {
  const [text, setText] = useState("");
  useRest(pages, text.trim() !== "");
  const found = rows.filter(({ name }) => hasWords([name], text));
  const shown = useSteps(found, pages, pageSize);
  return (
    <Stack gap="4">
      {rows.length < searchedFrom && !pages.hasMore ? null : (
        <search aria-label="Provider assignments">
          <SearchField label="Search organizations" placeholder="Search by name" value={text} onSearch={setText} />
        </search>
      )}
      {found.length === 0 ? <Text color="fg.muted">{notFound(pages)}</Text> : <AssignmentList rows={shown.data} onChange={onChange} />}
      {shown.hasMore ? <LoadMore pages={shown} what="organizations" /> : null}
    </Stack>
  );
};
