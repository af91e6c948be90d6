import { Badge } from "@chakra-ui/react/badge";
import { Flex } from "@chakra-ui/react/flex";
import { Text } from "@chakra-ui/react/text";
import type { ListedTool } from "@vitaline/contract";
import { Disclosure } from "../../components/layout/disclosure.tsx";

const identities: Record<ListedTool["level"], string> = {
  0: "No identity needed",
  1: "Verified caller",
  2: "Caller verified twice",
};
const identityHints: Record<ListedTool["level"], string> = {
  0: "It can be run before anybody is verified.",
  1: "Run “Verify patient identity” first: name, birth date and one more fact on file.",
  2: "Run “Verify patient identity” first: name, birth date and two more facts on file.",
};

/** What a tool does, and what it asks for before it does it. */
export const ToolFacts = ({ tool }: { tool: ListedTool }) => (
  <Flex direction="column" gap="2">
    <Flex gap="2" wrap="wrap">
      <Badge colorPalette={tool.effect === "write" ? "orange" : "blue"}>
        {tool.effect === "write" ? "Can change something" : "Only reads"}
      </Badge>
      <Badge colorPalette={tool.level === 0 ? "gray" : "teal"}>{identities[tool.level]}</Badge>
    </Flex>
    <Text textStyle="sm" color="fg.muted">
      {identityHints[tool.level]}
    </Text>
    <Disclosure title="What agents are told of it">
      <Text color="fg.muted">{tool.description}</Text>
    </Disclosure>
  </Flex>
);
