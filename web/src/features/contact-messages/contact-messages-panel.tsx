import { Button } from "@chakra-ui/react/button";
import { type ContactMessage, contactMessages, dashboard, mostWaiting } from "@vitaline/contract";
import { useState } from "react";
import { Badge } from "@chakra-ui/react/badge";
import { Flex } from "@chakra-ui/react/flex";
import { Link } from "@chakra-ui/react/link";
import { chakra } from "@chakra-ui/react/styled-system";
import { Text } from "@chakra-ui/react/text";
import Mail from "lucide-react/dist/esm/icons/mail.mjs";
import { useApi } from "../../lib/api/use-api.ts";
import { useFocusLater } from "../../lib/dom/use-later-focus.ts";
import { IsolatedCache } from "../../lib/api/isolated-cache.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { InlineSelect } from "../../components/form/inline-select.tsx";
import { WaitingBadge } from "../../components/data/badges.tsx";
import { usePages } from "../../lib/api/use-pages.ts";
import { Disclosure } from "../../components/layout/disclosure.tsx";
import { Empty } from "../../components/feedback/empty.tsx";
import { Loadable, RowSkeletons } from "../../components/feedback/loadable.tsx";
import { LoadMore } from "../../components/table/load-more.tsx";
import { DateTime } from "../../components/data/text.tsx";

const ContactMessagesPanel = () => {
  const [months] = useState(() => lastMonths(new Date()));
  const [month, setMonth] = useState<string>();
  const metrics = useApi(dashboard.platformMetrics, {});
  const { button: picker, focusLater } = useFocusLater<HTMLSelectElement>();
  const show = () => {
    setMonth(months[0]?.[0]);
    focusLater();
  };
  return (
    <Panel
      badge={<WaitingBadge count={metrics.data?.waiting.unmailedMessages} most={mostWaiting} what="not emailed" />}
      title="Contact Messages"
      description="Messages from the contact form. Each view is written to the audit log."
      actions={
        month === undefined ? undefined : <InlineSelect ref={picker} label="Month" value={month} options={months} onPick={setMonth} />
      }
    >
      {month === undefined ? (
        <Button size="sm" variant="outline" alignSelf="flex-start" onClick={show}>
          Show messages
        </Button>
      ) : (
        <IsolatedCache key={month}>
          <Messages month={month} />
        </IsolatedCache>
      )}
    </Panel>
  );
};

const monthCount = 12;

/** The last 12 months in UTC, newest first, as ["2026-05", "May 2026"]. */
export const lastMonths = (now: Date): (readonly [month: string, name: string])[] =>
  Array.from({ length: monthCount }, (_, ago) => {
    const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago, 1));
    const name = new Intl.DateTimeFormat("en-US", { month: "long", year: "numeric", timeZone: "UTC" }).format(first);
    return [first.toISOString().slice(0, 7), name] as const;
  });

const Messages = ({ month }: { month: string }) => {
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

const Message = ({ message }: { message: ContactMessage }) => {
  const { firstName, lastName, email, phone, company, industry, mailedAt } = message;
  const facts = [company, industry, phone, mailedAt === null ? undefined : "Emailed to support"];
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

const Aside = ({ at, mailedAt }: ContactMessage) => (
  <Flex gap="3" wrap="wrap" align="center" justify="flex-end">
    {mailedAt === null ? <Badge colorPalette="orange">Not emailed to support</Badge> : null}
    <DateTime at={at} textStyle="sm" color="fg.muted" />
  </Flex>
);

export default ContactMessagesPanel;
