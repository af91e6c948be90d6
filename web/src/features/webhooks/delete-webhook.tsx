import { type Webhook, webhooks } from "@vitaline/contract";
import { call } from "../../lib/api/call.ts";
import { useRefresh } from "../../lib/api/use-refresh.ts";
import { useToldAction } from "../../lib/api/use-action.ts";
import { announce } from "../../lib/toast.ts";
import { Confirmation } from "../../components/dialog/confirmation.tsx";
import { shortAddress } from "./delivery-words.ts";

type Props = { webhook: Webhook; /** Once it is off the page. */ onDeleted: () => void; onClose: () => void };

/** Asks before a webhook goes. */
export const DeleteWebhook = ({ webhook, onDeleted, onClose }: Props) => {
  const refresh = useRefresh();
  const { run, isBusy, failure } = useToldAction(async () => {
    await call(webhooks.deleteWebhook, { params: { webhookId: webhook.id } });
    onClose();
    announce({ type: "success", title: "Webhook deleted" });
    await refresh(webhooks.listWebhooks, webhooks.listWebhookDeliveries);
    onDeleted();
  });
  return (
    <Confirmation
      title="Delete webhook?"
      action="Delete webhook"
      busyAction="Deleting..."
      isBusy={isBusy}
      failure={failure}
      isDangerous
      onConfirm={() => run()}
      onCancel={onClose}
    >
      {`Nothing is sent to ${shortAddress(webhook.url)} any more, also what has not been delivered by now. This cannot be undone.`}
    </Confirmation>
  );
};
