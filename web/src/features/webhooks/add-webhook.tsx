import { type CreatedWebhook, webhooks } from "@vitaline/contract";
import { call } from "../../lib/api/call.ts";
import { useRefresh } from "../../lib/api/use-refresh.ts";
import { WebhookDialog } from "./webhook-dialog.tsx";

/** What comes of it holds the secret, which is in this answer alone: it goes into no cache. */
export const AddWebhook = ({ onAdded, onClose }: { onAdded: (webhook: CreatedWebhook) => void; onClose: () => void }) => {
  const refresh = useRefresh();
  return (
    <WebhookDialog
      title="Add webhook"
      action="Add webhook"
      busyAction="Adding..."
      beginning={{ url: "", events: [], description: "", includeContact: false }}
      send={async (body) => {
        onAdded(await call(webhooks.createWebhook, { body }));
        await refresh(webhooks.listWebhooks);
      }}
      onClose={onClose}
    />
  );
};
