import { type NewWebhook, type Webhook, webhooks } from "@vitaline/contract";
import { useState } from "react";
import { isStale } from "../../lib/api/api-error.ts";
import { call } from "../../lib/api/call.ts";
import { useRefresh } from "../../lib/api/use-refresh.ts";
import { announce } from "../../lib/toast.ts";
import { OvertakenNotice } from "../../components/form/edit-conflict.tsx";
import { changesTo, differences } from "./webhook-changes.ts";
import { WebhookDialog } from "./webhook-dialog.tsx";

/** Sends only the changed fields. On a conflict, shows the other user's changes and keeps what was typed. */
export const EditWebhook = ({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) => {
  const refresh = useRefresh();
  const [begun, setBegun] = useState(webhook);
  const { url, events, description, includeContact, version } = begun;
  const save = async (typed: NewWebhook) => {
    const body = changesTo(begun, typed);
    if (Object.keys(body).length === 0) return onClose();
    try {
      await call(webhooks.updateWebhook, { params: { webhookId: webhook.id }, body }, { ifMatch: webhook.version });
    } catch (error) {
      if (isStale(error)) await refresh(webhooks.listWebhooks);
      throw error;
    }
    announce({ type: "success", title: "Webhook saved" });
    onClose();
    await refresh(webhooks.listWebhooks);
  };
  return (
    <WebhookDialog
      key={version}
      title="Edit webhook"
      action="Save changes"
      busyAction="Saving..."
      beginning={{ url, events, description: description ?? "", includeContact }}
      notice={
        webhook.version === version ? null : (
          <OvertakenNotice what="webhook" changed={differences(begun, webhook)} onTakeTheirs={() => setBegun(webhook)} />
        )
      }
      send={save}
      onClose={onClose}
    />
  );
};
