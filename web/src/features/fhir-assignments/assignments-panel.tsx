import { fhirProviders, type TenantAssignments } from "@vitaline/contract";
import Network from "lucide-react/dist/esm/icons/network.mjs";
import { lazy, Suspense, useState } from "react";
import { Stack } from "@chakra-ui/react/stack";
import { Text } from "@chakra-ui/react/text";
import { Badge } from "@chakra-ui/react/badge";
import { Flex } from "@chakra-ui/react/flex";
import { Heading } from "@chakra-ui/react/heading";
import { chakra } from "@chakra-ui/react/styled-system";
import { Button } from "@chakra-ui/react/button";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import { useApi } from "../../lib/api/use-api.ts";
import { type LoadedPages, usePages } from "../../lib/api/use-pages.ts";
import { Empty } from "../../components/feedback/empty.tsx";
import { Loadable, RowSkeletons } from "../../components/feedback/loadable.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import type { AssignmentTarget } from "./assignment-cache.ts";
import { useRest } from "../../lib/api/use-all.ts";
import { LoadMore, useIncrementalList } from "../../components/table/load-more.tsx";
import { SearchField } from "../../components/form/search-field.tsx";
import { hasWords, minRowsForSearch, organizationTypeNames } from "../../lib/format/labels.ts";

type AssignmentListProps = { rows: readonly TenantAssignments[]; onChange: (place: AssignmentTarget) => void };

/** Tenants and offices per page. */
const pageSize = 40;

const AssignmentDialog = lazy(() => import("./assignment-dialog.tsx"));

const AssignmentsPanel = () => {
  const pages = usePages(fhirProviders.listFhirAssignments, { query: { limit: pageSize } });
  const providers = useApi(fhirProviders.listFhirProviders, {});
  const [changed, setChanged] = useState<AssignmentTarget>();
  const row = pages.data?.find(({ tenantId }) => tenantId === changed?.tenantId);
  return (
    <Panel title="Provider Assignments" description="Each office uses its own FHIR provider, or else its tenant's">
      <Loadable loaded={pages} what="provider assignments" skeleton={<RowSkeletons />}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty
              icon={Network}
              title="No provider assignments configured yet."
              description="Each organization is listed here, so that its FHIR provider can be chosen."
            />
          ) : (
            <Assignments pages={pages} rows={rows} onChange={setChanged} />
          )
        }
      </Loadable>
      <Suspense fallback={null}>
        {changed && row ? (
          <AssignmentDialog
            row={row}
            place={changed}
            providers={providers}
            onChanged={(next) => pages.replace(next)}
            onClose={() => setChanged(undefined)}
          />
        ) : null}
      </Suspense>
    </Panel>
  );
};

type Props = {
  pages: LoadedPages<TenantAssignments>;
  rows: readonly TenantAssignments[];
  onChange: (place: AssignmentTarget) => void;
};

const Assignments = ({ pages, rows, onChange }: Props) => {
  const [text, setText] = useState("");
  useRest(pages, text.trim() !== "");
  const found = rows.filter(({ name }) => hasWords([name], text));
  const shown = useIncrementalList(found, pages, pageSize);
  return (
    <Stack gap="4">
      {rows.length < minRowsForSearch && !pages.hasMore ? null : (
        <search aria-label="Provider assignments">
          <SearchField label="Search organizations" placeholder="Search by name" value={text} onSearch={setText} />
        </search>
      )}
      {found.length === 0 ? <Text color="fg.muted">{noMatchText(pages)}</Text> : <AssignmentList rows={shown.data} onChange={onChange} />}
      {shown.hasMore ? <LoadMore pages={shown} what="organizations" /> : null}
    </Stack>
  );
};

const noMatchText = ({ hasMore, moreError }: Pick<LoadedPages<unknown>, "hasMore" | "moreError">): string => {
  if (!hasMore) return "No organization has this text in its name.";
  return moreError === undefined
    ? "Searching more organizations..."
    : "None of the organizations that have loaded has this text in its name.";
};

const AssignmentList = ({ rows, onChange }: AssignmentListProps) => (
  <chakra.ul
    listStyleType="none"
    aria-label="Provider assignments"
    display="grid"
    gridTemplateColumns={{ base: "minmax(0, 1fr)", xl: "repeat(2, minmax(0, 1fr))" }}
    columnGap="10"
  >
    {rows.map((row) => (
      <Tenant key={row.tenantId} row={row} onChange={onChange} />
    ))}
  </chakra.ul>
);

const Tenant = ({ row, onChange }: { row: TenantAssignments; onChange: AssignmentListProps["onChange"] }) => {
  const { tenantId, name, organizationType, isActive, defaultFhirProvider, offices } = row;
  return (
    <chakra.li py="4" borderColor="border.muted" borderTopWidth="1px">
      <Flex gap="2" align="center" wrap="wrap" mb="1">
        <Heading as="h3" size="md" overflowWrap="anywhere">
          {name}
        </Heading>
        <Badge colorPalette="gray">{organizationTypeNames[organizationType]}</Badge>
        {isActive ? null : <Badge colorPalette="gray">Inactive</Badge>}
      </Flex>
      <chakra.ul listStyleType="none" aria-label={`FHIR providers of ${name}`}>
        <AssignmentRow
          name="Tenant default"
          whose={name}
          isActive
          value={defaultFhirProvider?.name ?? "Not configured"}
          isOwn={defaultFhirProvider !== null}
          onChange={() => onChange({ tenantId })}
        />
        {offices.map((office) => (
          <AssignmentRow
            key={office.id}
            name={office.name}
            whose={`${office.name}, ${name}`}
            isActive={office.isActive}
            value={office.fhirProvider?.name ?? "Inherits default"}
            isOwn={office.fhirProvider !== null}
            onChange={() => onChange({ tenantId, officeId: office.id })}
          />
        ))}
      </chakra.ul>
    </chakra.li>
  );
};

type AssignmentRowProps = { name: string; whose: string; isActive: boolean; value: string; isOwn: boolean; onChange: () => void };

const AssignmentRow = ({ name, whose, isActive, value, isOwn, onChange }: AssignmentRowProps) => (
  <chakra.li display="flex" flexWrap="wrap" alignItems="center" columnGap="4" rowGap="1" py="1.5">
    <Text textStyle="sm" color="fg.muted" flex="1 1 9rem" minW="0" overflowWrap="anywhere">
      {name}
      {isActive ? null : " (Inactive)"}
    </Text>
    <Text textStyle="sm" flex="1 1 9rem" minW="0" overflowWrap="anywhere" color={isOwn ? "fg" : "fg.muted"}>
      {value}
    </Text>
    <Button size="sm" variant="outline" onClick={onChange}>
      Change
      <VisuallyHidden>{` the FHIR provider of ${whose}`}</VisuallyHidden>
    </Button>
  </chakra.li>
);

export default AssignmentsPanel;
