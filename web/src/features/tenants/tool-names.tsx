import { Heading } from "@chakra-ui/react/heading";
import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import { BreakableName } from "../../components/data/text.tsx";
import { toolGroups } from "../api-keys/tool-groups.ts";

/** The tools that an organization's agents can use, by what they are for. */
export const ToolNames = () => (
  <Stack gap="3">
    <Heading as="h4" size="sm">
      Available tools
    </Heading>
    <SimpleGrid columns={{ base: 1, sm: 2 }} gap="5" alignItems="start">
      {toolGroups.map(({ name, tools }) => (
        <chakra.div key={name} textStyle="sm">
          <chakra.p color="fg.muted" mb="1">
            {name}
          </chakra.p>
          <chakra.ul listStyleType="none" aria-label={name} display="grid" gap="1">
            {tools.map((tool) => (
              <li key={tool}>
                <chakra.code fontFamily="mono">
                  <BreakableName name={tool} />
                </chakra.code>
              </li>
            ))}
          </chakra.ul>
        </chakra.div>
      ))}
    </SimpleGrid>
  </Stack>
);
