import { Box } from "@chakra-ui/react/box";
import { chakra } from "@chakra-ui/react/styled-system";
import { Text } from "@chakra-ui/react/text";
import Check from "lucide-react/dist/esm/icons/check.mjs";
import { exampleCall } from "./content/hero-call.ts";

const Utterance = ({ isAgent = false, children }: { isAgent?: boolean; children: string }) => (
  <Text
    textStyle="sm"
    maxW="92%"
    px="3.5"
    py="2.5"
    borderRadius="lg"
    alignSelf={isAgent ? "flex-end" : "flex-start"}
    bg={isAgent ? "teal.subtle" : "bg.muted"}
  >
    {children}
  </Text>
);

const ToolResult = ({ tool, outcome }: { tool: string; outcome: string }) => (
  <chakra.div display="flex" alignItems="center" gap="2.5" textStyle="xs" color="fg.muted" ps="1">
    <chakra.span boxSize="5" borderRadius="full" bg="green.subtle" color="green.fg" display="grid" placeItems="center" flexShrink="0">
      <Check width={12} height={12} strokeWidth={3} aria-hidden />
    </chakra.span>
    <chakra.span>
      <chakra.span fontFamily="mono" color="fg">
        {tool}
      </chakra.span>
      {` ${outcome}`}
    </chakra.span>
  </chakra.div>
);

export const CallFigure = () => (
  <Box
    as="figure"
    aria-label="An example call"
    bg="bg.panel"
    borderWidth="1px"
    borderColor="border"
    borderRadius="xl"
    boxShadow="lg"
    p={{ base: "5", sm: "6" }}
    display="flex"
    flexDirection="column"
    gap="3.5"
  >
    <chakra.div display="flex" alignItems="center" gap="2.5" pb="3" borderBottomWidth="1px" borderColor="border.muted" textStyle="sm">
      <chakra.span boxSize="2.5" borderRadius="full" bg="green.border" />
      <chakra.span fontWeight="semibold">Incoming call</chakra.span>
    </chakra.div>
    {exampleCall.map((line) =>
      "tool" in line ? (
        <ToolResult key={line.outcome} {...line} />
      ) : (
        <Utterance key={line.text} isAgent={line.who === "agent"}>
          {line.text}
        </Utterance>
      ),
    )}
  </Box>
);
