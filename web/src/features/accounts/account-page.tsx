import { Button } from "@chakra-ui/react/button";
import { Container } from "@chakra-ui/react/container";
import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { Stack } from "@chakra-ui/react/stack";
import { Text } from "@chakra-ui/react/text";
import { tenant } from "@vitaline/contract";
import { lazy, type ReactNode, useState } from "react";
import { chakra } from "@chakra-ui/react/styled-system";
import { Box } from "@chakra-ui/react/box";
import { useAuth } from "../../lib/session/auth.tsx";
import { TextLink } from "../../components/layout/links.tsx";
import { PageHeading } from "../../components/layout/page-heading.tsx";
import { PasswordPanel } from "./password-panel.tsx";
import { SecondFactorPanel } from "./second-factor-panel.tsx";
import { SessionsPanel } from "./sessions-panel.tsx";
import { roleNames } from "../../lib/session/areas.ts";
import { accessNames, useMay } from "../../lib/session/may.ts";
import { Panel } from "../../components/layout/panel.tsx";
import { useDismissedToasts } from "../../lib/toast.ts";
import { RowList, RowListItem } from "../../components/table/row-list.tsx";
import { useApi } from "../../lib/api/use-api.ts";
import { formatClock, useZone, ZoneContext } from "../../lib/format/times.ts";

const AccountPage = () => {
  const [step, setStep] = useState<"arrived" | "enrolling" | "back">("arrived");
  if (step === "enrolling") return <Enrollment onEnd={() => setStep("back")} />;
  return (
    <InOwnZone>
      <Container py={{ base: "6", md: "10" }}>
        <meta name="robots" content="noindex" />
        <PageHeading size="3xl" isStep={step === "back"}>
          Your account
        </PageHeading>
        <Text color="fg.muted" mb={{ base: "6", md: "8" }}>
          Your password, your second factor and where you are signed in.
        </Text>
        <SimpleGrid columns={{ base: 1, lg: 2 }} gap="5" alignItems="start">
          <Stack gap="5">
            <ProfilePanel />
            <PasswordPanel />
          </Stack>
          <Stack gap="5">
            <SessionsPanel />
            <SecondFactorPanel onSetUp={() => setStep("enrolling")} />
            <MailNotices />
            <RecentNotifications />
          </Stack>
        </SimpleGrid>
      </Container>
    </InOwnZone>
  );
};

/** Times are in the organization's zone, as on its dashboard; a system administrator has none. */
const InOwnZone = ({ children }: { children: ReactNode }) => {
  const { user } = useAuth();
  const { data } = useApi(tenant.tenantSettings, {}, { when: user?.role === "tenant_admin" });
  return <ZoneContext value={data?.timeZone}>{children}</ZoneContext>;
};

const EnrollmentCard = lazy(() => import("./enrollment-card.tsx"));

const Enrollment = ({ onEnd }: { onEnd: () => void }) => {
  const { recheck } = useAuth();
  const finish = async () => {
    await recheck();
    onEnd();
  };
  const back = (
    <Button size="sm" variant="outline" alignSelf="flex-start" onClick={onEnd}>
      Back to your account
    </Button>
  );
  return (
    <Container py={{ base: "6", md: "10" }} maxW="lg">
      <EnrollmentCard lead="A second step at sign-in: a code from an authenticator app on your phone." wayOut={back} onDone={finish} />
    </Container>
  );
};

const tenantsNote =
  "An administrator of your organization can change your name and role under Settings, Team. Only platform support can change the email.";

const ProfilePanel = () => {
  const { user } = useAuth();
  if (!user) return null;
  const lines = [
    ["Name", `${user.firstName} ${user.lastName}`.trim() || "Not set"],
    ["Email", user.email],
    ["Role", user.access === undefined ? roleNames[user.role] : accessNames[user.access]],
    ...(user.tenantName ? [["Organization", user.tenantName]] : []),
  ];
  return (
    <Panel title="Profile" description={user.role === "tenant_admin" ? tenantsNote : "Another system admin can change these details."}>
      <chakra.dl display="grid" gridTemplateColumns="auto minmax(0, 1fr)" columnGap="6" rowGap="2.5">
        {lines.map(([name, value]) => (
          <chakra.div key={name} display="contents">
            <chakra.dt color="fg.muted">{name}</chakra.dt>
            <chakra.dd fontWeight="medium" overflowWrap="anywhere">
              {value}
            </chakra.dd>
          </chakra.div>
        ))}
      </chakra.dl>
    </Panel>
  );
};

/** They are chosen beside the list that they are about. */
const MailNotices = () =>
  useMay("GET /api/tenant/notices") ? (
    <Panel title="Email notices">
      <Text color="fg.muted">
        Choose which emails you get about open work and emergencies, and your quiet hours, at the end of{" "}
        <TextLink to="/tenant/to-do">To do</TextLink>.
      </Text>
    </Panel>
  ) : null;

const RecentNotifications = () => {
  const toasts = useDismissedToasts();
  const zone = useZone();
  return (
    <Panel title="Recent notifications">
      {toasts.length === 0 ? (
        <Text color="fg.muted">Nothing in the last few minutes.</Text>
      ) : (
        <RowList label="Recent notifications">
          {toasts.map(({ id, title, description, at }) => (
            <RowListItem key={id}>
              <Box minW="0">
                <Text fontWeight="medium">{title}</Text>
                <Text textStyle="sm" color="fg.muted" overflowWrap="anywhere">
                  {description}
                </Text>
              </Box>
              <Text textStyle="sm" color="fg.muted" flexShrink="0">
                {formatClock(at, zone)}
              </Text>
            </RowListItem>
          ))}
        </RowList>
      )}
    </Panel>
  );
};

export default AccountPage;
