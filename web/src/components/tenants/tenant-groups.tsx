import { chakra } from "@chakra-ui/react/styled-system";
import { type ReactNode, useId, useState } from "react";
import { Button } from "@chakra-ui/react/button";
import { Stack } from "@chakra-ui/react/stack";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import type { Tenant } from "@vitaline/contract";
import { formatCount } from "../../lib/format/numbers.ts";
import { hasWords, minRowsForSearch } from "../../lib/format/labels.ts";
import { LoadMore, useIncrementalList } from "../table/load-more.tsx";
import { SearchField } from "../form/search-field.tsx";
import { Disclosure } from "../layout/disclosure.tsx";

export type TenantGroup<Row> = { tenant: Tenant; data: readonly Row[] };

type GroupActions<Row> = {
  countOf: (rows: readonly Row[]) => string;
  action: string;
  onOpen: (tenantId: string) => void;
  children: (group: TenantGroup<Row>) => ReactNode;
};
type TenantGroupProps<Row> = GroupActions<Row> & {
  group: TenantGroup<Row>;
  isAlone: boolean;
};

const OneTenantGroup = <Row,>({ group, isAlone, countOf, action, onOpen, children }: TenantGroupProps<Row>) => {
  const [wasOpened, setWasOpened] = useState(isAlone);
  const { tenant, data } = group;
  return (
    <chakra.li borderTopWidth="1px" borderColor="border.muted" py="1">
      <Disclosure
        title={tenant.name}
        isOpen={isAlone || wasOpened}
        aside={
          <chakra.span textStyle="sm" color="fg.muted" flexShrink="0">
            {countOf(data)}
          </chakra.span>
        }
        onOpen={() => setWasOpened(true)}
      >
        {wasOpened ? (
          <Stack gap="5" pt="3">
            {children(group)}
            <Button size="sm" variant="outline" alignSelf="flex-start" aria-haspopup="dialog" onClick={() => onOpen(tenant.id)}>
              {action}
              <VisuallyHidden>{` for ${tenant.name}`}</VisuallyHidden>
            </Button>
          </Stack>
        ) : null}
      </Disclosure>
    </chakra.li>
  );
};

type Props<Row> = GroupActions<Row> & {
  title: string;
  groups: readonly TenantGroup<Row>[];
  /** undefined while loading */
  empty: number | undefined;
};

const atOnce = 10;

const emptyInWords = (count: number): string => `${formatCount(count)} ${count === 1 ? "organization has" : "organizations have"} none.`;

export const TenantGroups = <Row,>({ title, groups, empty, ...group }: Props<Row>) => {
  const titleId = useId();
  const [typed, setTyped] = useState("");
  const found = groups.filter(({ tenant }) => hasWords([tenant.name], typed));
  const shown = useIncrementalList(found, undefined, atOnce);
  return (
    <chakra.section aria-labelledby={titleId}>
      <chakra.h3 id={titleId} fontWeight="semibold" mb="3">
        {title}
      </chakra.h3>
      {groups.length < minRowsForSearch ? null : (
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
