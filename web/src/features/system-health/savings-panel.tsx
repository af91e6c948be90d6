import { Badge } from "@chakra-ui/react/badge";
import { Heading } from "@chakra-ui/react/heading";
import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { Skeleton } from "@chakra-ui/react/skeleton";
import { Stack } from "@chakra-ui/react/stack";
import { Text } from "@chakra-ui/react/text";
import { tenantDashboard } from "@vitaline/contract";
import { useApi } from "../../lib/api/use-api.ts";
import { CheckList } from "../../components/layout/page-section.tsx";
import { Loadable, RowSkeletons } from "../../components/feedback/loadable.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { efficiencyClaims } from "./efficiency-claims.ts";
import { SavingsAssumptions } from "./savings-assumptions.tsx";
import { SavingsBreakdown } from "./savings-breakdown.tsx";
import { SavingsFigures } from "./savings-figures.tsx";

/** Said of the product, so it stands apart from what was measured. */
const EfficiencyClaims = () => (
  <section>
    <Heading as="h3" size="md">
      Efficiency
    </Heading>
    <Text textStyle="sm" color="fg.muted" mt="1" mb="4">
      General statements about the product, not measured for your organization.
    </Text>
    <CheckList items={efficiencyClaims} />
  </section>
);

const Placeholder = () => (
  <Stack gap="8" aria-hidden>
    <Skeleton h="48" />
    <RowSkeletons />
  </Stack>
);

/** What automated calls are worth: an estimate, with all that it rests on. */
export const SavingsPanel = () => (
  <Panel
    title="Cost Savings Analytics"
    description="What resolved calls of the last 30 days would have cost in wages."
    actions={<Badge colorPalette="blue">Estimate</Badge>}
  >
    <Loadable loaded={useApi(tenantDashboard.savings, {})} what="cost savings" skeleton={<Placeholder />}>
      {(savings) => (
        <Stack gap="8">
          <SavingsFigures savings={savings} />
          <SimpleGrid columns={{ base: 1, lg: 2 }} columnGap="10" rowGap="8" alignItems="start">
            <SavingsBreakdown breakdown={savings.breakdown} />
            <SavingsAssumptions savings={savings} />
          </SimpleGrid>
          <EfficiencyClaims />
        </Stack>
      )}
    </Loadable>
  </Panel>
);
