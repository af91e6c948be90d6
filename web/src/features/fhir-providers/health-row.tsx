import { Badge } from "@chakra-ui/react/badge";
import { Button } from "@chakra-ui/react/button";
import { Flex } from "@chakra-ui/react/flex";
import { chakra } from "@chakra-ui/react/styled-system";
import { Text } from "@chakra-ui/react/text";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import { type FhirHealth, fhirProviders } from "@vitaline/contract";
import { call } from "../../api/call.ts";
import { useAction } from "../../api/use-action.ts";
import { useRefresh } from "../../api/use-refresh.ts";
import { Moment } from "../../components/moment.tsx";
import { formatDay } from "../../format/times.ts";
import { useZone } from "../../format/zone.ts";
import { certificateState } from "./certificate-words.ts";
import { connectionLooks } from "./provider-names.ts";

const Certificate = ({ expiry, now }: { expiry: string; now: Date }) => {
  const zone = useZone();
  const state = certificateState(expiry, now);
  return (
    <Flex as="span" gap="2" align="center" wrap="wrap">
      {`Certificate expires ${formatDay(expiry, zone)}`}
      {state === undefined ? null : <Badge colorPalette={state.colorPalette}>{state.words}</Badge>}
    </Flex>
  );
};

const CheckNow = ({ id, name }: Pick<FhirHealth, "id" | "name">) => {
  const refresh = useRefresh();
  const { run, isBusy } = useAction(async () => {
    await call(fhirProviders.checkFhirProvider, { params: { id } });
    await refresh(fhirProviders.fhirHealthStatus, fhirProviders.listFhirProviders);
  });
  return (
    <Button size="sm" variant="outline" flexShrink="0" aria-disabled={isBusy} onClick={run}>
      {isBusy ? "Checking..." : "Check now"}
      <VisuallyHidden>{` ${name}`}</VisuallyHidden>
    </Button>
  );
};

/** What the last check of one record system found. */
export const HealthRow = ({ health, now }: { health: FhirHealth; /** When it was asked for. */ now: Date }) => {
  const { id, name, endpoint, status, lastChecked, certificateExpiry, message, software, fhirVersion } = health;
  const look = connectionLooks[status];
  return (
    <chakra.li
      display="flex"
      gap="3"
      py="3"
      alignItems="flex-start"
      flexWrap={{ base: "wrap", sm: "nowrap" }}
      borderColor="border.muted"
      _notFirst={{ borderTopWidth: "1px" }}
    >
      <chakra.div flex="1" minW="0">
        <Flex gap="2" align="baseline">
          <chakra.span
            colorPalette={look.colorPalette}
            boxSize="2.5"
            borderRadius="full"
            bg="colorPalette.solid"
            flexShrink="0"
            aria-hidden
          />
          <Text as="span" fontWeight="semibold" overflowWrap="anywhere">
            {name}
          </Text>
        </Flex>
        <chakra.div display="grid" gap="0.5" ps="4.5" textStyle="sm" color="fg.muted" overflowWrap="anywhere">
          <span>{look.name}</span>
          <span>{endpoint}</span>
          <span>{lastChecked === null ? "Never checked" : <>Last checked {<Moment at={lastChecked} />}</>}</span>
          {software === undefined ? null : <span>{[software, fhirVersion && `FHIR ${fhirVersion}`].filter(Boolean).join(", ")}</span>}
          {certificateExpiry === null ? null : <Certificate expiry={certificateExpiry} now={now} />}
          {message === undefined ? null : <chakra.span color="fg">{message}</chakra.span>}
        </chakra.div>
      </chakra.div>
      <CheckNow id={id} name={name} />
    </chakra.li>
  );
};
