import { Flex } from "@chakra-ui/react/flex";
import { chakra } from "@chakra-ui/react/styled-system";
import { Text } from "@chakra-ui/react/text";
import type { FhirHealth } from "@vitaline/contract";
import { Button } from "@chakra-ui/react/button";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import { Badge } from "@chakra-ui/react/badge";
import { DateTime } from "../../../components/data/text.tsx";
import { connectionStatuses } from "../provider-format.ts";
import { StatusDot } from "./connection-badge.tsx";
import { useAction } from "../../../lib/api/use-action.ts";
import { useConnectionCheck, useIsChecking } from "./connection-checks.ts";
import { formatDay, formatMoment, useZone } from "../../../lib/format/times.ts";

/** Pixels per mark, with its gap. */
const step = 9;
const width = 5;
const height = 14;

type Props = { health: FhirHealth; now: Date };

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
      <HealthDetails health={health} now={now} />
    </chakra.div>
    <chakra.div flexShrink="0" ps={{ base: "4.5", sm: "0" }}>
      <CheckNow {...health} />
    </chakra.div>
  </chakra.li>
);

const Name = ({ status, name }: Pick<FhirHealth, "status" | "name">) => (
  <Flex gap="2" align="baseline">
    <StatusDot status={status} size="2.5" />
    <Text as="span" fontWeight="semibold" overflowWrap="anywhere">
      {name}
    </Text>
  </Flex>
);

const HealthDetails = ({ health, now }: Props) => {
  const { status, endpoint, lastChecked, history, software, fhirVersion, certificateExpiry, message } = health;
  const server = [software, fhirVersion && `FHIR ${fhirVersion}`].filter(Boolean).join(", ");
  return (
    <chakra.div display="grid" gap="0.5" ps="4.5" textStyle="sm" color="fg.muted" overflowWrap="anywhere">
      <span>{connectionStatuses[status].name}</span>
      <span>{endpoint}</span>
      <span>{lastChecked === null ? "Never checked" : <>Last checked {<DateTime at={lastChecked} />}</>}</span>
      <HealthHistory history={history} />
      {software === undefined ? null : <span>{server}</span>}
      {certificateExpiry === null ? null : <Certificate expiry={certificateExpiry} now={now} />}
      {message === undefined ? null : <chakra.span color="fg">{message}</chakra.span>}
    </chakra.div>
  );
};

const HealthHistory = ({ history }: Pick<FhirHealth, "history">) => {
  const zone = useZone();
  if (history.length === 0) return null;
  const words = describeHistory(history, (instant) => formatMoment(instant, zone));
  return (
    <chakra.span title={words} display="block" w="fit-content" maxW="100%" py="0.5">
      <svg
        role="img"
        aria-label={words}
        width={history.length * step}
        height={height}
        viewBox={`-1 0 ${history.length * step} ${height}`}
        style={{ maxWidth: "100%" }}
      >
        {history.map(({ at, status }, index) => (
          <Mark key={`${at} ${index}`} isHealthy={status === "healthy"} x={index * step} />
        ))}
      </svg>
    </chakra.span>
  );
};

/** Different shapes, so that the result does not depend on color. */
const Mark = ({ isHealthy, x }: { isHealthy: boolean; x: number }) =>
  isHealthy ? (
    <chakra.g color="green.solid">
      <rect x={x + 1} width={3} height={height} rx={1} fill="currentColor" />
    </chakra.g>
  ) : (
    <chakra.g color="red.solid">
      <path
        d={`M${x},${(height - width) / 2} l${width},${width} m0,-${width} l-${width},${width}`}
        stroke="currentColor"
        strokeWidth={2}
        strokeLinecap="round"
      />
    </chakra.g>
  );

const Certificate = ({ expiry, now }: { expiry: string; now: Date }) => {
  const zone = useZone();
  const state = certificateState(expiry, now);
  return (
    <Flex as="span" gap="2" align="center" wrap="wrap">
      {`Certificate expires ${formatDay(expiry, zone)}`}
      {state === undefined ? null : <Badge colorPalette={state.colorPalette}>{state.label}</Badge>}
    </Flex>
  );
};

const CheckNow = ({ id, name }: Pick<FhirHealth, "id" | "name">) => {
  const check = useConnectionCheck();
  const isChecking = useIsChecking(id);
  const { run } = useAction(async () => void (await check(id)));
  return (
    <Button size="sm" variant="outline" aria-disabled={isChecking} onClick={() => isChecking || run()}>
      {isChecking ? "Checking..." : "Check now"}
      <VisuallyHidden>{` ${name}`}</VisuallyHidden>
    </Button>
  );
};

/** `formatInstant` formats an ISO instant. */
export const describeHistory = (history: FhirHealth["history"], formatInstant: (instant: string) => string): string => {
  const failed = history.filter(({ status }) => status === "unhealthy");
  const last = failed.at(-1);
  if (history.length === 1) return last ? "The only check so far failed." : "The only check so far was healthy.";
  if (last === undefined) return `All of the last ${history.length} checks were healthy.`;
  const count = history.length - failed.length;
  const healthy = count === 0 ? `None of the last ${history.length} checks was` : `${count} of the last ${history.length} checks were`;
  return `${healthy} healthy; last failure ${formatInstant(last.at)}.`;
};

const dayMs = 86_400_000;
const warnedDays = 30;

type CertificateState = { colorPalette: "red" | "orange"; label: string } | undefined;

/** undefined if the certificate is valid for 30 days or more */
export const certificateState = (expiry: string, now: Date): CertificateState => {
  const days = Math.floor((Date.parse(expiry) - now.getTime()) / dayMs);
  if (days < 0) return { colorPalette: "red", label: "Expired" };
  if (days >= warnedDays) return undefined;
  return { colorPalette: "orange", label: days === 0 ? "Expires today" : `Expires in ${days} ${days === 1 ? "day" : "days"}` };
};
