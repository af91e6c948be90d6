import { Button } from "@chakra-ui/react/button";
import { dashboard } from "@vitaline/contract";
import { useState } from "react";
import { useApi } from "../../lib/api/use-api.ts";
import { useLaterFocus } from "../../lib/dom/use-later-focus.ts";
import { Forgetting } from "../../lib/api/isolated-cache.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { Picker } from "../../components/form/inline-select.tsx";
import { WaitingBadge } from "../../components/data/badges.tsx";
import { Messages } from "./messages.tsx";
import { lastMonths } from "./months.ts";

/** So many unmailed messages and more are one number to the platform. */
const mostCounted = 100;

/** What visitors wrote by the contact form, month by month; read when somebody asks to. */
const ContactMessagesPanel = () => {
  const [months] = useState(() => lastMonths(new Date()));
  const [month, setMonth] = useState<string>();
  const metrics = useApi(dashboard.platformMetrics, {});
  const { button: picker, focusLater } = useLaterFocus<HTMLSelectElement>();
  const show = () => {
    setMonth(months[0]?.[0]);
    focusLater();
  };
  return (
    <Panel
      badge={<WaitingBadge count={metrics.data?.waiting.unmailedMessages} most={mostCounted} what="not mailed" />}
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
