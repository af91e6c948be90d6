import { Card } from "@chakra-ui/react/card";
import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import { Text } from "@chakra-ui/react/text";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import { site, type StatusHistory } from "@vitaline/contract";
import { useEffect, useState } from "react";
import { call } from "../../lib/api/call.ts";
import { formatExactly, formatMoment } from "../../lib/format/times.ts";

type Days = StatusHistory["days"];
type Incident = StatusHistory["incidents"][number];

/** The last 30 days with checks, and their incidents; nothing while they are not known. */
export const History = () => {
  const history = useStatusHistory();
  if (!history || history.uptime === null) return null;
  const { uptime, days, components, incidents } = history;
  const dates = days.map(({ date }) => date);
  return (
    <>
      <Card.Root as="section" aria-labelledby="status-history" mt="5">
        <Card.Body gap="5">
          <Stack gap="3">
            <Card.Title as="h2" id="status-history">
              Last 30 days
            </Card.Title>
            <Text color="fg.muted">{`${uptime}% of the checks succeeded. There is one every five minutes; a check that did not take place counts as failed. Days are in UTC.`}</Text>
          </Stack>
          <DayBars name="All components" days={days} dates={dates} percent={`${uptime}%`} />
          {components
            .filter((component) => component.days.length > 0)
            .map((component) => (
              <DayBars key={component.name} {...component} dates={dates} />
            ))}
        </Card.Body>
      </Card.Root>
      <Incidents incidents={incidents} />
    </>
  );
};

const colorOf = (share: number): string => (share >= 0.99 ? "green.solid" : share >= 0.9 ? "orange.solid" : "red.solid");
const percentOf = (share: number): string => `${Math.floor(share * 10_000) / 100}%`;
const shareOf = (days: Days): number =>
  days.reduce((sum, { successful }) => sum + successful, 0) / days.reduce((sum, { probes }) => sum + probes, 0);
const nameOf = (day: Days[number]): string => `${day.date}: ${percentOf(shareOf([day]))}`;

type DayBarsProps = { name: string; days: Days; dates: readonly string[]; percent?: string };

/** A bar for each date, empty where nothing was counted. Screen readers get the days with failed checks, and the number of empty ones. */
const DayBars = ({ name, days, dates, percent = percentOf(shareOf(days)) }: DayBarsProps) => {
  const counted = new Map(days.map((day) => [day.date, day]));
  const failed = days.filter(({ probes, successful }) => successful < probes);
  const empty = dates.filter((date) => !counted.has(date)).length;
  return (
    <section aria-label={name}>
      <chakra.div display="flex" justifyContent="space-between" gap="4" mb="1.5" textStyle="sm">
        <chakra.h3 fontWeight="medium">{name}</chakra.h3>
        <chakra.span color="fg.muted">{percent}</chakra.span>
      </chakra.div>
      <chakra.div display="flex" gap="1" aria-hidden>
        {dates.map((date) => (
          <Bar key={date} date={date} day={counted.get(date)} />
        ))}
      </chakra.div>
      <VisuallyHidden>
        {failed.length === 0 ? "No day with failed checks." : `Days with failed checks: ${failed.map(nameOf).join(", ")}.`}
        {empty === 0 ? null : ` Not recorded for ${empty} of ${dates.length} days.`}
      </VisuallyHidden>
    </section>
  );
};

const Bar = ({ date, day }: { date: string; day: Days[number] | undefined }) => (
  <chakra.span
    flex="1"
    maxW="4"
    h="8"
    borderRadius="xs"
    {...(day ? { bg: colorOf(shareOf([day])), title: nameOf(day) } : { borderWidth: "1px", title: `${date}: not recorded` })}
  />
);

const Incidents = ({ incidents }: { incidents: readonly Incident[] }) => (
  <Card.Root as="section" aria-labelledby="status-incidents" mt="5">
    <Card.Body gap="3">
      <Card.Title as="h2" id="status-incidents">
        Incidents
      </Card.Title>
      {incidents.length === 0 ? (
        <Text color="fg.muted">None recorded in the last 30 days.</Text>
      ) : (
        <Stack as="ul" gap="3" listStyleType="none">
          {incidents.map((incident) => (
            <li key={`${incident.startedAt} ${incident.component}`}>
              <Text fontWeight="medium">
                {incident.component === null ? "No checks took place" : `${incident.component}: checks failed`}
              </Text>
              <Text textStyle="sm" color="fg.muted">
                {incident.endedAt === null ? "Since " : "From "}
                <Moment at={incident.startedAt} />
                {incident.endedAt === null ? null : (
                  <>
                    {" to "}
                    <Moment at={incident.endedAt} />
                  </>
                )}
                {" (UTC)"}
              </Text>
            </li>
          ))}
        </Stack>
      )}
    </Card.Body>
  </Card.Root>
);

const Moment = ({ at }: { at: string }) => (
  <time dateTime={at} title={formatExactly(at, "UTC")}>
    {formatMoment(at, "UTC")}
  </time>
);

const useStatusHistory = (): StatusHistory | undefined => {
  const [history, setHistory] = useState<StatusHistory>();
  useEffect(() => {
    let isGone = false;
    // The status above tells of a platform that does not answer.
    void call(site.statusHistory, {})
      .catch(() => undefined)
      .then((answer) => isGone || setHistory(answer));
    return () => {
      isGone = true;
    };
  }, []);
  return history;
};
