import { Badge } from "@chakra-ui/react/badge";
import { Flex } from "@chakra-ui/react/flex";
import { Link } from "@chakra-ui/react/link";
import { chakra } from "@chakra-ui/react/styled-system";
import { Text } from "@chakra-ui/react/text";
import { type ContactMessage, contactMessages } from "@vitaline/contract";
import Mail from "lucide-react/dist/esm/icons/mail.mjs";
import { usePages } from "../../lib/api/use-pages.ts";
import { Disclosure } from "../../components/layout/disclosure.tsx";
import { Empty } from "../../components/feedback/empty.tsx";
import { Loadable, RowSkeletons } from "../../components/feedback/loadable.tsx";
import { LoadMore } from "../../components/table/load-more.tsx";
import { Moment } from "../../components/data/text.tsx";

const Aside = ({ at, mailedAt }: ContactMessage) => (
  <Flex gap="3" wrap="wrap" align="center" justify="flex-end">
    {mailedAt === null ? <Badge colorPalette="orange">Not mailed to support</Badge> : null}
    <Moment at={at} textStyle="sm" color="fg.muted" />
  </Flex>
);

const Message = ({ message }: { message: ContactMessage }) => {
  const { firstName, lastName, email, phone, company, industry, mailedAt } = message;
  const facts = [company, industry, phone, mailedAt === null ? undefined : "Mailed to support"];
  return (
    <Disclosure title={`${firstName} ${lastName}`} aside={<Aside {...message} />}>
      <Flex gap="3" wrap="wrap" align="center" py="1" mb="2" color="fg.muted">
        <Link minH="6" href={`mailto:${encodeURIComponent(email)}`}>
          {email}
        </Link>
        <Text as="span">{facts.filter(Boolean).join(" · ")}</Text>
      </Flex>
      <Text whiteSpace="pre-wrap" overflowWrap="anywhere">
        {message.message}
      </Text>
    </Disclosure>
  );
};

/** A month's messages. Whoever looks is written down. */
export const Messages = ({ month }: { month: string }) => {
  const pages = usePages(contactMessages.contactMessages, { query: { month } });
  return (
    <Loadable loaded={pages} what="contact messages" failed="Failed to fetch contact messages" skeleton={<RowSkeletons />}>
      {(messages) =>
        messages.length === 0 && !pages.hasMore ? (
          <Empty icon={Mail} title="No messages in this month" description="Choose another month to see earlier ones." />
        ) : (
          <>
            <chakra.ul listStyleType="none" aria-label="Contact messages">
              {messages.map((message) => (
                <li key={message.id}>
                  <Message message={message} />
                </li>
              ))}
            </chakra.ul>
            {pages.hasMore ? <LoadMore pages={pages} what="messages" /> : null}
          </>
        )
      }
    </Loadable>
  );
};
