import { NewWebhook, type Webhook, webhooks } from "@vitaline/contract";
import { useEffect } from "react";
import { call } from "../../lib/api/call.ts";
import { useRefresh } from "../../lib/api/use-refresh.ts";
import { useEditForm } from "../../lib/forms/use-edit-form.ts";
import { announce } from "../../lib/toast.ts";
import { EditConflict } from "../../components/form/edit-conflict.tsx";
import { changesTo, differences, valuesOf, type WebhookValues } from "./webhook-changes.ts";
import { WebhookDialog } from "./webhook-dialog.tsx";

/** Sends only the changed fields. */
export const EditWebhook = ({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) => {
  const refresh = useRefresh();
  const { begun, conflict, ...request } = useEditForm<Webhook, WebhookValues, NewWebhook>({
    current: webhook,
    valuesOf,
    schema: NewWebhook,
    differences,
    hasConflict: (before, now) => before.version !== now.version,
    save: async (typed, before) => {
      const body = changesTo(before, typed);
      if (Object.keys(body).length === 0) return onClose();
      await call(webhooks.updateWebhook, { params: { webhookId: webhook.id }, body }, { ifMatch: webhook.version });
      announce({ type: "success", title: "Webhook saved" });
      onClose();
      await refresh(webhooks.listWebhooks);
    },
    reread: () => refresh(webhooks.listWebhooks),
  });
  const { setFocus } = request;
  useEffect(() => setFocus("url"), [setFocus, begun]);
  return (
    <WebhookDialog title="Edit webhook" action="Save changes" busyAction="Saving..." request={request} onClose={onClose}>
      <EditConflict what="webhook" conflict={conflict} />
    </WebhookDialog>
  );
};
