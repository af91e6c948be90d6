import { Button } from "@chakra-ui/react/button";
import { Flex } from "@chakra-ui/react/flex";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import { type RotatedWebhookSecret, type Webhook, webhooks } from "@vitaline/contract";
import { useState } from "react";
import { call } from "../../lib/api/call.ts";
import { useAction } from "../../lib/api/use-action.ts";
import { useRefresh } from "../../lib/api/use-refresh.ts";
import { announce } from "../../lib/toast.ts";
import { shortAddress } from "./delivery-words.ts";
import { DeleteWebhook } from "./delete-webhook.tsx";
import { EditWebhook } from "./edit-webhook.tsx";
import { RotateSecret } from "./rotate-secret.tsx";
import { SecretDialog } from "./secret-dialog.tsx";

/** Sends a test and switches on and off: both at once, as neither takes anything away. */
const useQuickActions = ({ id, isActive }: Webhook) => {
  const refresh = useRefresh();
  const params = { webhookId: id };
  const test = useAction(async () => {
    await call(webhooks.testWebhook, { params });
    announce({ type: "success", title: "Test is on its way", description: "What comes of it stands among the deliveries." });
    await refresh(webhooks.listWebhookDeliveries);
  });
  const toggle = useAction(async () => {
    await call(webhooks.updateWebhook, { params, body: { isActive: !isActive } });
    announce({ type: "success", title: isActive ? "Webhook switched off" : "Webhook switched on" });
    await refresh(webhooks.listWebhooks);
  });
  return { test, toggle };
};

export const WebhookActions = ({ webhook, onDeleted }: { webhook: Webhook; onDeleted: () => void }) => {
  const [isOpen, setIsOpen] = useState<"edit" | "rotate" | "delete">();
  const [rotated, setRotated] = useState<RotatedWebhookSecret>();
  const { test, toggle } = useQuickActions(webhook);
  const close = () => setIsOpen(undefined);
  const button = (label: string, onClick: () => void, isBusy = false) => (
    <Button size="sm" variant="outline" aria-disabled={isBusy} onClick={onClick}>
      {label}
      <VisuallyHidden>{` ${shortAddress(webhook.url)}`}</VisuallyHidden>
    </Button>
  );
  return (
    <Flex gap="2" wrap="wrap">
      {webhook.isActive ? button("Send test", () => test.run(), test.isBusy) : null}
      {button("Edit", () => setIsOpen("edit"))}
      {button(webhook.isActive ? "Switch off" : "Switch on", () => toggle.run(), toggle.isBusy)}
      {button("Rotate secret", () => setIsOpen("rotate"))}
      {button("Delete", () => setIsOpen("delete"))}
      {isOpen === "edit" ? <EditWebhook webhook={webhook} onClose={close} /> : null}
      {isOpen === "delete" ? <DeleteWebhook webhook={webhook} onDeleted={onDeleted} onClose={close} /> : null}
      {isOpen === "rotate" ? (
        <RotateSecret
          webhook={webhook}
          onClose={close}
          onRotated={(secret) => {
            close();
            setRotated(secret);
          }}
        />
      ) : null}
      {rotated ? <SecretDialog {...rotated} onClose={() => setRotated(undefined)} /> : null}
    </Flex>
  );
};
