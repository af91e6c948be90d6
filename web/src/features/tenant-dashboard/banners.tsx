import { Alert } from "@chakra-ui/react/alert";
import { Stack } from "@chakra-ui/react/stack";
import { tenantHealth, type TenantNotice } from "@vitaline/contract";
import { ButtonLink } from "../../components/layout/links.tsx";
import { useApi } from "../../lib/api/use-api.ts";
import { formatCount } from "../../lib/format/numbers.ts";
import { toolInText } from "../../lib/format/labels.ts";
import { useMay } from "../../lib/session/may.ts";

/** What keeps the voice agents from working, above everything else. Nothing while all is well, or unknown. */
export const Banners = () => {
  const when = useMay("GET /api/tenant/dashboard/notices");
  const { data = [] } = useApi(tenantHealth.tenantNotices, {}, { when });
  if (data.length === 0) return null;
  return (
    <Stack as="section" gap="3" aria-label="Needs attention">
      {data.map((notice) => (
        <Banner key={`${notice.kind} ${notice.names.join()}`} notice={notice} />
      ))}
    </Stack>
  );
};

const Banner = ({ notice }: { notice: TenantNotice }) => {
  const { title, text, to, action } = words[notice.kind](notice);
  return (
    <Alert.Root status={notice.kind === "no_record_system" ? "error" : "warning"} flexWrap="wrap" alignItems="center">
      <Alert.Indicator />
      <Alert.Content>
        <Alert.Title>{title}</Alert.Title>
        <Alert.Description>{text}</Alert.Description>
      </Alert.Content>
      <ButtonLink to={to} size="sm" variant="outline">
        {action}
      </ButtonLink>
    </Alert.Root>
  );
};

type Words = { title: string; text: string; to: string; action: string };

const listed = new Intl.ListFormat("en-US", { type: "conjunction" });

const words: Record<TenantNotice["kind"], (notice: TenantNotice) => Words> = {
  no_record_system: ({ names }) => ({
    title: "No record system: calls fail",
    text:
      names.length === 0
        ? "No active record system is assigned. Voice agents cannot look up patients or book appointments."
        : `No active record system is assigned to ${listed.format(names)}. Voice agents there cannot look up patients or book appointments.`,
    to: "/tenant?tab=fhir",
    action: "See record systems",
  }),
  record_system_fails: ({ names }) => ({
    title: `The record system ${listed.format(names)} does not work`,
    text: "Its last check failed, so tools that need it fail.",
    to: "/tenant?tab=system",
    action: "See system health",
  }),
  voice_platform_fails: ({ names }) => ({
    title: `The voice platform ${listed.format(names)} does not work`,
    text: "Its last check failed, so calls may not arrive.",
    to: "/tenant?tab=system",
    action: "See system health",
  }),
  key_refused: ({ names }) => ({
    title: `${listed.format(names)} refuses the key`,
    text: "The stored key or secret was not accepted at the last check. It has to be replaced.",
    to: "/tenant?tab=system",
    action: "See system health",
  }),
  tools_fail: ({ names, runs, failedRuns }) => ({
    title: "Tools are failing",
    text: `${formatCount(failedRuns ?? 0)} of ${formatCount(runs ?? 0)} tool runs failed yesterday and today: ${listed.format(names.map(toolInText))}.`,
    to: "/tenant/calls?range=24hours&toolFailed=true&withoutTests=true",
    action: "See these calls",
  }),
};
