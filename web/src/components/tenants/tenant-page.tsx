import { Container } from "@chakra-ui/react/container";
import { Stack } from "@chakra-ui/react/stack";
import { tenant } from "@vitaline/contract";
import type { ReactNode } from "react";
import { useApi } from "../../lib/api/use-api.ts";
import { ZoneContext } from "../../lib/format/times.ts";
import { useAuth } from "../../lib/session/auth.tsx";
import { Waiting } from "../feedback/waiting.tsx";
import { DashboardTitle } from "../layout/panel.tsx";

type Props = { title: string; /** The open part, for the document's title. */ part?: string; children: ReactNode };

/** A page of an organization. Its content waits for the time zone, or for the news that it is unknown. */
export const TenantPage = ({ title, part, children }: Props) => {
  const { user } = useAuth();
  const settings = useApi(tenant.tenantSettings, {});
  const isReady = settings.data !== undefined || settings.error !== undefined;
  return (
    <ZoneContext value={settings.data?.timeZone}>
      <Container py={{ base: "6", md: "page" }}>
        <Stack gap={{ base: "5", md: "6" }}>
          <DashboardTitle title={title} tab={part} subtitle={user?.tenantName ?? ""} />
          {isReady ? children : <Waiting text={`Loading ${title}...`} />}
        </Stack>
      </Container>
    </ZoneContext>
  );
};
