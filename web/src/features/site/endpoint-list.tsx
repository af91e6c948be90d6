import { Box } from "@chakra-ui/react/box";
import { Heading } from "@chakra-ui/react/heading";
import { chakra } from "@chakra-ui/react/styled-system";
import { Text } from "@chakra-ui/react/text";
import { dashboard, type Route, routeKey, vapi } from "@vitaline/contract";

const endpoints: Route[] = [vapi.vapiToolCall, vapi.vapiCallSummary, vapi.vapiServer, dashboard.platformMetrics];

/** The addresses that voice platforms and dashboards use, as the contract names them. */
export const EndpointList = () => (
  <Box as="section" aria-labelledby="endpoints" mt={{ base: "12", md: "16" }}>
    <Heading as="h2" id="endpoints" size="2xl" mb="4">
      Active endpoints
    </Heading>
    <chakra.ul listStyleType="none" borderWidth="1px" borderColor="border" borderRadius="l3" overflow="hidden" bg="bg.panel">
      {endpoints.map((route) => (
        <chakra.li
          key={route.path}
          px="5"
          py="3.5"
          display="grid"
          gap="1"
          gridTemplateColumns={{ md: "22rem 1fr" }}
          borderColor="border.muted"
          _notFirst={{ borderTopWidth: "1px" }}
        >
          <chakra.code fontFamily="mono" textStyle="sm" fontWeight="semibold" overflowWrap="anywhere">
            {routeKey(route)}
          </chakra.code>
          <Text textStyle="sm" color="fg.muted">
            {route.summary}
          </Text>
        </chakra.li>
      ))}
    </chakra.ul>
  </Box>
);
