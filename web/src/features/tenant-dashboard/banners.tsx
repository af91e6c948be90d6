import { Alert } from "@chakra-ui/react/alert";
import { Stack } from "@chakra-ui/react/stack";
import { tenantHealth, type TenantNotice } from "@vitaline/contract";
import { ButtonLink } from "../../components/layout/links.tsx";
import { useApi } from "../../lib/api/use-api.ts";
import { useMay } from "../../lib/session/may.ts";
import { askAdministrator, noticeWords } from "../system-health/notice-words.ts";

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
  const { title, text, to, action, needs } = noticeWords(notice);
  const mayFollow = useMay(needs);
  return (
    <Alert.Root status={notice.kind === "no_record_system" ? "error" : "warning"} flexWrap="wrap" alignItems="center">
      <Alert.Indicator />
      <Alert.Content>
        <Alert.Title>{title}</Alert.Title>
        <Alert.Description>{mayFollow ? text : `${text} ${askAdministrator}`}</Alert.Description>
      </Alert.Content>
      {mayFollow ? (
        <ButtonLink to={to} size="sm" variant="outline">
          {action}
        </ButtonLink>
      ) : null}
    </Alert.Root>
  );
};
