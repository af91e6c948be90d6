import { Button } from "@chakra-ui/react/button";
import { Flex } from "@chakra-ui/react/flex";
import { Link } from "@chakra-ui/react/link";
import { chakra } from "@chakra-ui/react/styled-system";
import { Text } from "@chakra-ui/react/text";
import { type ContactMessage, contactMessages } from "@vitaline/contract";
import Mail from "lucide-react/dist/esm/icons/mail.mjs";
import { useState } from "react";
import { usePages } from "../../api/use-pages.ts";
import { useLaterFocus } from "../../app/use-later-focus.ts";
import { Disclosure } from "../../components/disclosure.tsx";
import { Empty } from "../../components/empty.tsx";
import { Forgetting } from "../../components/forgetting.tsx";
import { Loadable } from "../../components/loadable.tsx";
import { LoadMore } from "../../components/load-more.tsx";
import { Moment } from "../../components/moment.tsx";
import { Panel } from "../../components/panel.tsx";
import { Picker } from "../../components/picker.tsx";
import { RowSkeletons } from "../../components/row-skeletons.tsx";
import { lastMonths } from "./months.ts";

const Message = ({ message }: { message: ContactMessage }) => {
  const { firstName, lastName, email, phone, company, industry, at, mailedAt } = message;
  const facts = [company, industry, phone, mailedAt === null ? "Not mailed to support" : "Mailed to support"];
  return (
    <Disclosure title={`${firstName} ${lastName}`} aside={<Moment at={at} textStyle="sm" color="fg.muted" />}>
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

/** What visitors wrote by the contact form, month by month; read when somebody asks to. */
const ContactMessagesPanel = () => {
  const [months] = useState(() => lastMonths(new Date()));
  const [month, setMonth] = useState<string>();
  const { button: picker, focusLater } = useLaterFocus<HTMLSelectElement>();
  const show = () => {
    setMonth(months[0]?.[0]);
    focusLater();
  };
  return (
    <Panel
      title="Contact Messages"
      description="What visitors wrote by the contact form. Each look at them is written to the audit log."
      actions={month === undefined ? undefined : <Picker ref={picker} label="Month" value={month} options={months} onPick={setMonth} />}
    >
      {month === undefined ? (
        <Button size="sm" variant="outline" alignSelf="flex-start" onClick={show}>
          Show messages
        </Button>
      ) : (
        <Forgetting key={month}>
          <Messages month={month} />
        </Forgetting>
      )}
    </Panel>
  );
};

export default ContactMessagesPanel;
