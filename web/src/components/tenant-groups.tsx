import { chakra } from "@chakra-ui/react/styled-system";
import { useId, useState } from "react";
import { formatCount } from "../format/numbers.ts";
import { hasWords, searchedFrom } from "../format/search-words.ts";
import { LoadMore } from "./load-more.tsx";
import { SearchField } from "./search-field.tsx";
import { type GroupActions, OneTenantGroup, type TenantGroup } from "./tenant-group.tsx";
import { useSteps } from "./use-steps.ts";

type Props<Row> = GroupActions<Row> & {
  title: string;
  groups: readonly TenantGroup<Row>[];
  /** How many organizations have nothing of it; undefined as long as that is not known. */ empty: number | undefined;
};

const atOnce = 10;

const emptyInWords = (count: number): string => `${formatCount(count)} ${count === 1 ? "organization has" : "organizations have"} none.`;

/** Everything, organization by organization: a line for each that has any, which opens to what it has. */
export const TenantGroups = <Row,>({ title, groups, empty, ...group }: Props<Row>) => {
  const titleId = useId();
  const [typed, setTyped] = useState("");
  const found = groups.filter(({ tenant }) => hasWords([tenant.name], typed));
  const shown = useSteps(found, undefined, atOnce);
  return (
    <chakra.section aria-labelledby={titleId}>
      <chakra.h3 id={titleId} fontWeight="semibold" mb="3">
        {title}
      </chakra.h3>
      {groups.length < searchedFrom ? null : (
        <chakra.search display="block" mb="3">
          <SearchField label={`Search ${title.toLowerCase()}`} placeholder="Organization name" value={typed} onSearch={setTyped} />
          <chakra.output display="block" textStyle="sm" color="fg.muted" mt="2">
            {typed.trim() === "" ? "" : `${formatCount(found.length)} of ${formatCount(groups.length)} organizations found`}
          </chakra.output>
        </chakra.search>
      )}
      <chakra.ul listStyleType="none" aria-labelledby={titleId}>
        {shown.data.map((one) => (
          <OneTenantGroup key={one.tenant.id} group={one} isAlone={groups.length === 1 && empty !== undefined} {...group} />
        ))}
      </chakra.ul>
      {found.length > atOnce ? <LoadMore pages={shown} what="organizations" /> : null}
      {empty ? (
        <chakra.p textStyle="sm" color="fg.muted" mt="3">
          {emptyInWords(empty)}
        </chakra.p>
      ) : null}
    </chakra.section>
  );
};
