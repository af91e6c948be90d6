import { Badge } from "@chakra-ui/react/badge";
import { Heading } from "@chakra-ui/react/heading";
import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import { Text } from "@chakra-ui/react/text";
import { compliance, type ComplianceMetrics } from "@vitaline/contract";
import { useApi } from "../../lib/api/use-api.ts";
import { StatList } from "../../components/data/stat-card.tsx";
import { Loadable, RowSkeletons } from "../../components/feedback/loadable.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { formatPercent } from "../../lib/format/numbers.ts";
import { formatMoment, useZone } from "../../lib/format/times.ts";

const ComplianceMetricsPanel = () => {
  const metrics = useApi(compliance.complianceMetrics, {});
  return (
    <Panel title="Compliance Metrics" description="Calculated from the audit log">
      <Loadable loaded={metrics} what="compliance metrics" failed="Failed to fetch compliance metrics" skeleton={<RowSkeletons />}>
        {({ auditScore, dataIntegrity, accessControl, definitions, checks }) => (
          <Stack gap="6">
            <StatList
              label="Compliance in figures"
              leastWidth="14rem"
              counts={[
                { name: "Audit Score", value: formatNullablePercent(auditScore), note: `${definitions.auditScore}.` },
                { name: "Data Integrity", value: formatNullablePercent(dataIntegrity), note: `${definitions.dataIntegrity}.` },
                { name: "Access Control", value: formatNullablePercent(accessControl), note: `${definitions.accessControl}.` },
              ]}
            />
            <section>
              <Heading as="h3" size="md" mb="1">
                HIPAA checks
              </Heading>
              <chakra.ul listStyleType="none" aria-label="HIPAA checks">
                {checks.map((check) => (
                  <Check key={check.id} check={check} />
                ))}
              </chakra.ul>
            </section>
          </Stack>
        )}
      </Loadable>
    </Panel>
  );
};

const formatNullablePercent = (percent: number | null | undefined): string =>
  typeof percent === "number" ? formatPercent(percent) : "N/A";

type ComplianceCheck = ComplianceMetrics["checks"][number];

const Check = ({ check }: { check: ComplianceCheck }) => {
  const { name, colorPalette } = checkStatus(check);
  const zone = useZone();
  return (
    <chakra.li
      display="flex"
      flexWrap="wrap"
      justifyContent="space-between"
      alignItems="flex-start"
      columnGap="4"
      rowGap="1"
      py="3"
      borderColor="border.muted"
      _notFirst={{ borderTopWidth: "1px" }}
    >
      <chakra.div flex="1 1 14rem" minW="0">
        <Text fontWeight="medium">{check.name}</Text>
        <Text textStyle="sm" color="fg.muted">
          {formatInstants(check.detail, (instant) => formatMoment(instant, zone))}
        </Text>
      </chakra.div>
      <Badge colorPalette={colorPalette}>{name}</Badge>
    </chakra.li>
  );
};

export const checkStatus = ({ ok }: Pick<ComplianceCheck, "ok">): { name: string; colorPalette: string } => {
  if (ok === null) return { name: "Not known yet", colorPalette: "gray" };
  return ok ? { name: "Passed", colorPalette: "green" } : { name: "Needs attention", colorPalette: "orange" };
};

/** Replaces each ISO instant in a sentence with `format(instant)`. */
export const formatInstants = (sentence: string, format: (instant: string) => string): string =>
  sentence.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, format);

export default ComplianceMetricsPanel;
