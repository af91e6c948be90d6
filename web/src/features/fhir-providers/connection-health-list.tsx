import { Button } from "@chakra-ui/react/button";
import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import type { FhirHealth } from "@vitaline/contract";
import { useState } from "react";
import { Counts } from "../../components/data/stat-card.tsx";
import { formatCount } from "../../lib/format/numbers.ts";
import { HealthRow } from "./health-row.tsx";
import { connectionLooks } from "./provider-names.ts";

/** So many stand there at first. */
const shownFirst = 5;
const statuses = ["healthy", "unhealthy", "unknown"] as const;

/** What needs somebody comes first. */
const rank: Record<FhirHealth["status"], number> = { unhealthy: 0, unknown: 1, healthy: 2 };
const inOrder = (providers: readonly FhirHealth[]): FhirHealth[] =>
  providers.toSorted((one, other) => rank[one.status] - rank[other.status]);

type Props = { providers: readonly FhirHealth[]; now: Date };

/** How many there are of each kind, and each of them: a few, or all. */
export const ConnectionHealthList = ({ providers, now }: Props) => {
  const [isWhole, setIsWhole] = useState(false);
  const shown = isWhole ? inOrder(providers) : inOrder(providers).slice(0, shownFirst);
  return (
    <Stack gap="4">
      <Counts
        label="Connections in figures"
        counts={statuses.map((status) => ({
          name: connectionLooks[status].name,
          value: formatCount(providers.filter((one) => one.status === status).length),
        }))}
      />
      <chakra.ul listStyleType="none" aria-label="Connections" my="-3">
        {shown.map((one) => (
          <HealthRow key={one.id} health={one} now={now} />
        ))}
      </chakra.ul>
      {providers.length <= shownFirst ? null : (
        <Button variant="outline" size="sm" alignSelf="flex-start" aria-expanded={isWhole} onClick={() => setIsWhole(!isWhole)}>
          {isWhole ? `Show the first ${shownFirst} only` : `Show all ${formatCount(providers.length)} connections`}
        </Button>
      )}
    </Stack>
  );
};
