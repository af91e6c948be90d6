import { type NewWebhook, type Webhook, webhooks } from "@vitaline/contract";
import { ApiError } from "../../api/api-error.ts";
import { call } from "../../api/call.ts";
import { useRefresh } from "../../api/use-refresh.ts";
import { announce } from "../../app/toaster.ts";
import { WebhookDialog } from "./webhook-dialog.tsx";

const isOutdated = (error: unknown): boolean => error instanceof ApiError && error.problem?.code === "stale_version";

/** Changes a webhook as it was seen. If somebody was faster, that is told; what is typed stays, and a second save is of what is known then. */
export const EditWebhook = ({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) => {
  const refresh = useRefresh();
  const { url, events, description, includeContact } = webhook;
  const save = async (changed: NewWebhook) => {
    const request = { params: { webhookId: webhook.id }, body: { ...changed, description: changed.description ?? null } };
    try {
      await call(webhooks.updateWebhook, request, { ifMatch: webhook.version });
    } catch (error) {
      if (isOutdated(error)) await refresh(webhooks.listWebhooks);
      throw error;
    }
    announce({ type: "success", title: "Webhook saved" });
    onClose();
    await refresh(webhooks.listWebhooks);
  };
  return (
    <WebhookDialog
      title="Edit webhook"
      action="Save changes"
      busyAction="Saving..."
      beginning={{ url, events, description: description ?? "", includeContact }}
      send={save}
      onClose={onClose}
    />
  );
};
