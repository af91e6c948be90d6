import { Flex } from "@chakra-ui/react/flex";
import { chakra } from "@chakra-ui/react/styled-system";
import { Text } from "@chakra-ui/react/text";
import type { FhirHealth } from "@vitaline/contract";
import { Moment } from "../../components/data/text.tsx";
import { Certificate } from "./certificate.tsx";
import { CheckNow } from "./check-now.tsx";
import { HealthHistory } from "./health-history.tsx";
import { connectionLooks } from "./provider-names.ts";
import { StatusDot } from "./status-dot.tsx";

type Props = { health: FhirHealth; /** When it was asked for. */ now: Date };

const Name = ({ status, name }: Pick<FhirHealth, "status" | "name">) => (
  <Flex gap="2" align="baseline">
    <StatusDot status={status} size="2.5" />
    <Text as="span" fontWeight="semibold" overflowWrap="anywhere">
      {name}
    </Text>
  </Flex>
);

const Found = ({ health, now }: Props) => {
  const { status, endpoint, lastChecked, history, software, fhirVersion, certificateExpiry, message } = health;
  const server = [software, fhirVersion && `FHIR ${fhirVersion}`].filter(Boolean).join(", ");
  return (
    <chakra.div display="grid" gap="0.5" ps="4.5" textStyle="sm" color="fg.muted" overflowWrap="anywhere">
      <span>{connectionLooks[status].name}</span>
      <span>{endpoint}</span>
      <span>{lastChecked === null ? "Never checked" : <>Last checked {<Moment at={lastChecked} />}</>}</span>
      <HealthHistory history={history} />
      {software === undefined ? null : <span>{server}</span>}
      {certificateExpiry === null ? null : <Certificate expiry={certificateExpiry} now={now} />}
      {message === undefined ? null : <chakra.span color="fg">{message}</chakra.span>}
    </chakra.div>
  );
};

/** What the last checks of one record system found. */
export const HealthRow = ({ health, now }: Props) => (
  <chakra.li
    display="flex"
    gap="3"
    py="3"
    alignItems="flex-start"
    flexDirection={{ base: "column", sm: "row" }}
    borderColor="border.muted"
    _notFirst={{ borderTopWidth: "1px" }}
  >
    <chakra.div flex={{ sm: "1" }} minW="0" maxW="100%">
      <Name {...health} />
      <Found health={health} now={now} />
    </chakra.div>
    <chakra.div flexShrink="0" ps={{ base: "4.5", sm: "0" }}>
      <CheckNow {...health} />
    </chakra.div>
  </chakra.li>
);
