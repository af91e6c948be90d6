import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { RecentCalls } from "./recent-calls.tsx";
import { TopTools } from "./top-tools.tsx";

export const OverviewTab = () => (
  <SimpleGrid columns={{ base: 1, lg: 2 }} gap="5" alignItems="start">
    <RecentCalls />
    <TopTools />
  </SimpleGrid>
);
