import { Flex } from "@chakra-ui/react/flex";
import { Text } from "@chakra-ui/react/text";
import { PageHeading } from "./page-heading.tsx";
import { RefreshButton } from "./refresh-button.tsx";

type Props = { title: string; subtitle: string; receivedAt: Date | undefined };

export const DashboardTitle = ({ title, subtitle, receivedAt }: Props) => (
  <Flex justify="space-between" align={{ base: "flex-start", md: "flex-end" }} direction={{ base: "column", md: "row" }} gap="3">
    <div>
      <PageHeading size="3xl">{title}</PageHeading>
      <Text color="fg.muted">{subtitle}</Text>
    </div>
    <RefreshButton receivedAt={receivedAt} />
  </Flex>
);
