import { Badge } from "@chakra-ui/react/badge";
import { Heading } from "@chakra-ui/react/heading";
import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import { type ListedTool, tools } from "@vitaline/contract";
import { useApi } from "../../lib/api/use-api.ts";
import { ToolCode } from "../../components/data/tool-name.tsx";
import { Loadable, RowSkeletons } from "../../components/feedback/loadable.tsx";
import { Disclosure } from "../../components/layout/disclosure.tsx";
import { groupTools, identityTexts, type ToolGroup } from "./tool-groups.ts";

export const AvailableTools = () => {
  const listed = useApi(tools.listTools, {});
  return (
    <section aria-labelledby="available-tools">
      <Heading as="h3" size="md" id="available-tools" mb="4">
        Available tools
      </Heading>
      <Loadable loaded={listed} what="available tools" skeleton={<RowSkeletons />}>
        {(list) => (
          <SimpleGrid columns={{ base: 1, md: 2 }} columnGap="10" rowGap="6" alignItems="start">
            {inColumns(groupTools(list)).map((column, index) => (
              <Stack key={index} gap="6">
                {column.map((group) => (
                  <Group key={group.name} group={group} />
                ))}
              </Stack>
            ))}
          </SimpleGrid>
        )}
      </Loadable>
    </section>
  );
};

const inColumns = (groups: ToolGroup[]): ToolGroup[][] => {
  const half = Math.ceil(groups.length / 2);
  return [groups.slice(0, half), groups.slice(half)];
};

const Group = ({ group: { name, tools: ofGroup } }: { group: ToolGroup }) => (
  <div>
    <Heading as="h4" textStyle="sm" color="fg.muted" mb="1">
      {name}
    </Heading>
    <chakra.ul listStyleType="none">
      {ofGroup.map((tool) => (
        <Tool key={tool.name} tool={tool} />
      ))}
    </chakra.ul>
  </div>
);

const Tool = ({ tool: { name, title, description, effect, level } }: { tool: ListedTool }) => (
  <chakra.li borderColor="border.muted" _notFirst={{ borderTopWidth: "1px" }}>
    <Disclosure
      title={
        <>
          {title} <ToolCode name={name} />
        </>
      }
      aside={
        <Badge colorPalette={effect === "write" ? "blue" : "gray"} flexShrink="0">
          {effect === "write" ? "Writes" : "Reads"}
        </Badge>
      }
    >
      <chakra.p color="fg.muted">{description}</chakra.p>
      <chakra.p mt="1">{identityTexts[level]}</chakra.p>
    </Disclosure>
  </chakra.li>
);
