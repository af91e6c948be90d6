import { Badge } from "@chakra-ui/react/badge";
import { Box } from "@chakra-ui/react/box";
import { Text } from "@chakra-ui/react/text";
import { type ListedTool, type TenantFhirProvider, tools } from "@vitaline/contract";
import ListX from "lucide-react/dist/esm/icons/list-x.mjs";
import { useApi } from "../../../lib/api/use-api.ts";
import { BreakableName } from "../../../components/data/text.tsx";
import { Empty } from "../../../components/feedback/empty.tsx";
import { Loadable, RowSkeletons } from "../../../components/feedback/loadable.tsx";
import { Panel } from "../../../components/layout/panel.tsx";
import { RowList, RowListItem } from "../../../components/table/row-list.tsx";

type Operation = {
  name: string;
  title: string;
  effect: ListedTool["effect"];
  /** Providers that allow it; empty if all active ones do */
  onlyAt: string[];
};

type Provider = Pick<TenantFhirProvider, "providerName" | "isActive" | "operations">;
type Tool = Pick<ListedTool, "name" | "title" | "effect">;

/** Operations of the active providers, in the order of `tools`. */
export const availableOperations = (providers: readonly Provider[], tools: readonly Tool[]): Operation[] => {
  const active = providers.filter(({ isActive }) => isActive);
  return tools.flatMap(({ name, title, effect }) => {
    const allowing = active.filter(({ operations }) => operations.includes(name));
    if (allowing.length === 0) return [];
    return [{ name, title, effect, onlyAt: allowing.length === active.length ? [] : allowing.map(({ providerName }) => providerName) }];
  });
};

const OperationRow = ({ operation: { name, title, effect, onlyAt } }: { operation: Operation }) => (
  <RowListItem>
    <Box minW="0">
      <Text fontWeight="medium">{title}</Text>
      <Text textStyle="sm" color="fg.muted" overflowWrap="anywhere">
        <BreakableName name={name} />
        {onlyAt.length === 0 ? null : `, only at ${onlyAt.join(" and ")}`}
      </Text>
    </Box>
    <Badge colorPalette={effect === "write" ? "blue" : "gray"} flexShrink="0">
      {effect === "write" ? "Writes" : "Reads"}
    </Badge>
  </RowListItem>
);

export const OperationsPanel = ({ providers }: { providers: readonly TenantFhirProvider[] }) => {
  const listed = useApi(tools.listTools, {});
  return (
    <Panel title="Available Operations" description="What your voice agents can do with the permissions these record systems grant">
      <Loadable loaded={listed} what="operations" skeleton={<RowSkeletons />}>
        {(all) => {
          const operations = availableOperations(providers, all);
          return operations.length === 0 ? (
            <Empty
              icon={ListX}
              title="No operations available"
              description="Operations appear here as soon as an active record system grants the permissions for them."
            />
          ) : (
            <RowList label="Available operations">
              {operations.map((operation) => (
                <OperationRow key={operation.name} operation={operation} />
              ))}
            </RowList>
          );
        }}
      </Loadable>
    </Panel>
  );
};
