import { Badge } from "@chakra-ui/react/badge";
import { Card } from "@chakra-ui/react/card";
import { Container } from "@chakra-ui/react/container";
import { HStack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import { Text } from "@chakra-ui/react/text";
import { site } from "@vitaline/contract";
import { useEffect, useState } from "react";
import { homeOf } from "../../lib/session/areas.ts";
import { useAuth } from "../../lib/session/auth.tsx";
import { ButtonLink } from "../../components/layout/links.tsx";
import { PageHeading } from "../../components/layout/page-heading.tsx";
import { call } from "../../lib/api/call.ts";
import { History } from "./status-history.tsx";

const HubPage = () => {
  const { user } = useAuth();
  return (
    <Container py={{ base: "10", md: "16" }} maxW="3xl">
      <PageHeading size={{ base: "3xl", md: "4xl" }}>Dashboard</PageHeading>
      <Text color="fg.muted" mt="3" mb="8" textStyle={{ base: "md", md: "lg" }} overflowWrap="anywhere">
        {user ? `You are signed in as ${user.email}.` : "Sign in to see your organization's calls or to run the platform."}
      </Text>
      <HStack gap="3" wrap="wrap" mb="10">
        {user ? (
          <ButtonLink to={homeOf(user.role)} size="lg">
            Open your dashboard
          </ButtonLink>
        ) : (
          <>
            <ButtonLink to="/login" size="lg">
              Tenant login
            </ButtonLink>
            <ButtonLink to="/admin-login" size="lg" variant="outline">
              System admin login
            </ButtonLink>
          </>
        )}
      </HStack>
      <Status />
      <History />
    </Container>
  );
};

export type PlatformStatus = "asking" | "ok" | "degraded" | "silent";

const looks: Record<PlatformStatus, { colorPalette: string; label: string; text: string }> = {
  asking: { colorPalette: "gray", label: "Checking...", text: "Checking the platform's status." },
  ok: { colorPalette: "green", label: "Healthy", text: "Calls are answered and records are reached." },
  degraded: {
    colorPalette: "orange",
    label: "Warning",
    text: "Part of the platform answers slowly or not at all. Try again in a few minutes.",
  },
  silent: { colorPalette: "red", label: "Down", text: "The platform does not answer. Check your connection, or try again in a minute." },
};

const Status = () => {
  const { colorPalette, label, text } = looks[usePlatformStatus()];
  return (
    <Card.Root as="section" aria-labelledby="platform-status">
      <Card.Body gap="2">
        <HStack justify="space-between" gap="4">
          <Card.Title as="h2" id="platform-status">
            Platform status
          </Card.Title>
          <Badge colorPalette={colorPalette}>
            <chakra.span boxSize="2" borderRadius="full" bg="colorPalette.solid" aria-hidden />
            {label}
          </Badge>
        </HStack>
        <Text as="output" color="fg.muted">
          {text}
        </Text>
      </Card.Body>
    </Card.Root>
  );
};

const usePlatformStatus = (): PlatformStatus => {
  const [status, setStatus] = useState<PlatformStatus>("asking");
  useEffect(() => {
    let isGone = false;
    const ask = async (): Promise<PlatformStatus> => (await call(site.publicHealth, {})).status;
    void ask()
      .catch((): PlatformStatus => "silent")
      .then((answer) => isGone || setStatus(answer));
    return () => {
      isGone = true;
    };
  }, []);
  return status;
};

export default HubPage;
