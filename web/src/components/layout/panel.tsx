import { Card } from "@chakra-ui/react/card";
import { Flex } from "@chakra-ui/react/flex";
import { chakra } from "@chakra-ui/react/styled-system";
import { type ReactNode, useId, useState } from "react";
import { Button } from "@chakra-ui/react/button";
import { HStack } from "@chakra-ui/react/stack";
import RefreshCw from "lucide-react/dist/esm/icons/refresh-cw.mjs";
import { useSWRConfig } from "swr";
import { Text } from "@chakra-ui/react/text";
import { explain } from "../../lib/api/api-error.ts";
import { dropHidden } from "../../lib/api/use-refresh.ts";
import { announce } from "../../lib/toast.ts";
import { formatClock, useZone } from "../../lib/format/times.ts";
import { PageHeading } from "./page-heading.tsx";

type DashboardTitleProps = {
  title: string;
  /** The open part, for the document's title. */
  tab?: string | undefined;
  subtitle: string;
  receivedAt?: Date | undefined;
};

export const DashboardTitle = ({ title, tab, subtitle, receivedAt }: DashboardTitleProps) => (
  <Flex justify="space-between" align={{ base: "flex-start", md: "flex-end" }} direction={{ base: "column", md: "row" }} gap="3">
    <div>
      <PageHeading size="3xl" documentTitle={tab === undefined ? title : `${tab} · ${title}`}>
        {title}
      </PageHeading>
      <Text color="fg.muted">{subtitle}</Text>
    </div>
    <RefreshButton receivedAt={receivedAt} />
  </Flex>
);

/** Reads everything on the page again and shows the time of the displayed data. */
const RefreshButton = ({ receivedAt }: { receivedAt: Date | undefined }) => {
  const { cache, mutate } = useSWRConfig();
  const zone = useZone();
  const [isRunning, setIsRunning] = useState(false);

  const refresh = async () => {
    setIsRunning(true);
    try {
      const arrived = mutate(() => true);
      // Hidden parts read again when they open. Their failures do not concern this page.
      dropHidden(cache, () => true);
      await arrived;
    } finally {
      setIsRunning(false);
    }
    const failure = [...cache.keys()].map((key) => cache.get(key)?.error as unknown).find((error) => error !== undefined);
    if (failure !== undefined) announce({ type: "error", title: "Error", description: explain(failure) });
  };

  return (
    <HStack gap="3" flexDirection={{ base: "row-reverse", md: "row" }}>
      <chakra.output textStyle="sm" color="fg.muted">
        {receivedAt ? `Updated ${formatClock(receivedAt, zone)}` : ""}
      </chakra.output>
      <Button variant="outline" size="sm" aria-disabled={isRunning} onClick={() => isRunning || void refresh()}>
        <RefreshCw aria-hidden />
        {isRunning ? "Refreshing..." : "Refresh"}
      </Button>
    </HStack>
  );
};

type Props = {
  title: string;
  badge?: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
};

export const Panel = ({ title, badge, description, actions, children }: Props) => {
  const titleId = useId();
  return (
    <Card.Root as="section" aria-labelledby={titleId}>
      <Card.Header>
        <Flex justify="space-between" align={description === undefined ? "center" : "flex-start"} wrap="wrap" columnGap="4" rowGap="3">
          <chakra.div flex="1 1 10rem" minW="0">
            <Flex align="center" wrap="wrap" columnGap="3" rowGap="1">
              <Card.Title as="h2" id={titleId}>
                {title}
              </Card.Title>
              {badge}
            </Flex>
            {description === undefined ? null : <Card.Description mt="1">{description}</Card.Description>}
          </chakra.div>
          {actions === undefined ? null : (
            <Flex gap="2" wrap="wrap">
              {actions}
            </Flex>
          )}
        </Flex>
      </Card.Header>
      <Card.Body>{children}</Card.Body>
    </Card.Root>
  );
};
