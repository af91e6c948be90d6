import { Button } from "@chakra-ui/react/button";
import { Stack } from "@chakra-ui/react/stack";
import { type CreatedWebhook, NewWebhook, webhooks } from "@vitaline/contract";
import Plus from "lucide-react/dist/esm/icons/plus.mjs";
import WebhookIcon from "lucide-react/dist/esm/icons/webhook.mjs";
import { useState } from "react";
import { useApi } from "../../lib/api/use-api.ts";
import { Empty } from "../../components/feedback/empty.tsx";
import { Loadable, RowSkeletons } from "../../components/feedback/loadable.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { RowList } from "../../components/table/row-list.tsx";
import { DeliveriesPanel } from "./deliveries-panel.tsx";
import { SecretDialog } from "./secret-dialog.tsx";
import { useFocusLater } from "../../lib/dom/use-later-focus.ts";
import { WebhookRow } from "./webhook-row.tsx";
import { call } from "../../lib/api/call.ts";
import { useRefresh } from "../../lib/api/use-refresh.ts";
import { useRequestForm } from "../../lib/forms/use-request-form.ts";
import { emptyValues, type WebhookValues } from "./webhook-changes.ts";
import { WebhookDialog } from "./webhook-dialog.tsx";

const WebhooksPanel = () => {
  const listed = useApi(webhooks.listWebhooks, {});
  const [isAdding, setIsAdding] = useState(false);
  const [created, setCreated] = useState<CreatedWebhook>();
  const { button, focusLater } = useFocusLater();
  const forget = () => {
    setCreated(undefined);
    focusLater();
  };
  const add = (
    <Button ref={button} size="sm" onClick={() => setIsAdding(true)}>
      <Plus aria-hidden />
      Add webhook
    </Button>
  );
  return (
    <Stack gap="panels">
      <Panel
        title="Webhooks"
        description="Notify your own systems of events with signed HTTPS requests. Ten webhooks at most."
        actions={listed.data && listed.data.length > 0 ? add : undefined}
      >
        <Loadable loaded={listed} what="webhooks" skeleton={<RowSkeletons />}>
          {(list) =>
            list.length === 0 ? (
              <Empty
                icon={WebhookIcon}
                title="No webhooks yet"
                description="Add the address of your CRM or of an automation, and choose its events."
              >
                {add}
              </Empty>
            ) : (
              <RowList label="Webhooks">
                {list.map((webhook) => (
                  <WebhookRow key={webhook.id} webhook={webhook} onDeleted={focusLater} />
                ))}
              </RowList>
            )
          }
        </Loadable>
      </Panel>
      {listed.data && <DeliveriesPanel webhooks={listed.data} />}
      {isAdding ? (
        <AddWebhook
          onClose={() => setIsAdding(false)}
          onAdded={(webhook) => {
            setIsAdding(false);
            setCreated(webhook);
          }}
        />
      ) : null}
      {created ? <SecretDialog secret={created.secret} onClose={forget} /> : null}
    </Stack>
  );
};

/** The response holds the secret, so it is not cached. */
const AddWebhook = ({ onAdded, onClose }: { onAdded: (webhook: CreatedWebhook) => void; onClose: () => void }) => {
  const refresh = useRefresh();
  const request = useRequestForm<WebhookValues, NewWebhook>({
    schema: NewWebhook,
    defaultValues: emptyValues,
    send: async (body) => {
      onAdded(await call(webhooks.createWebhook, { body }));
      await refresh(webhooks.listWebhooks);
    },
  });
  return <WebhookDialog title="Add webhook" action="Add webhook" busyAction="Adding..." request={request} onClose={onClose} />;
};

export default WebhooksPanel;
