import Check from "lucide-react/dist/esm/icons/check.mjs";
import { chakra } from "@chakra-ui/react/styled-system";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import { permissions, UserAccess } from "@vitaline/contract";
import { Panel } from "../../../components/layout/panel.tsx";
import { type Column, DataTable } from "../../../components/table/data-table.tsx";
import { accessNames } from "../../../lib/session/may.ts";

type Row = (typeof permissions)[number];

const columns: readonly Column<Row>[] = [
  { title: "What", cell: ({ what }) => what },
  ...UserAccess.options.map((access) => ({
    title: accessNames[access],
    isNumeric: true,
    cell: ({ open }: Row) =>
      open.includes(access) ? (
        <chakra.span color="green.fg" display="inline-flex">
          <Check width={18} height={18} aria-hidden />
          <VisuallyHidden>Yes</VisuallyHidden>
        </chakra.span>
      ) : (
        <chakra.span color="fg.muted">
          <span aria-hidden>–</span>
          <VisuallyHidden>No</VisuallyHidden>
        </chakra.span>
      ),
  })),
];

/** The table that the server enforces, in words. */
export const AccessTable = () => (
  <Panel title="What each access level can do" description="Everyone also manages their own password, second factor and sessions.">
    <DataTable caption="What each access level can do" columns={columns} rows={permissions} keyOf={({ what }) => what} />
  </Panel>
);
