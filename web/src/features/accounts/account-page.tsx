import { Button } from "@chakra-ui/react/button";
import { Container } from "@chakra-ui/react/container";
import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { Stack } from "@chakra-ui/react/stack";
import { Text } from "@chakra-ui/react/text";
import { lazy, useState } from "react";
import { useAuth } from "../../lib/session/auth.tsx";
import { PageHeading } from "../../components/layout/page-heading.tsx";
import { PasswordPanel } from "./password-panel.tsx";
import { ProfilePanel } from "./profile-panel.tsx";
import { RecentNotifications } from "./recent-notifications.tsx";
import { SecondFactorPanel } from "./second-factor-panel.tsx";
import { SessionsPanel } from "./sessions-panel.tsx";

const EnrolmentCard = lazy(() => import("./enrolment-card.tsx"));

const Enrolment = ({ onEnd }: { onEnd: () => void }) => {
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
      <EnrolmentCard lead="A second step at sign-in: a code from an authenticator app on your phone." wayOut={back} onDone={finish} />
    </Container>
  );
};

/** What everybody who is signed in may change about their own access. */
const AccountPage = () => {
  const [step, setStep] = useState<"arrived" | "enrolling" | "back">("arrived");
  if (step === "enrolling") return <Enrolment onEnd={() => setStep("back")} />;
  return (
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
          <RecentNotifications />
        </Stack>
      </SimpleGrid>
    </Container>
  );
};

export default AccountPage;
