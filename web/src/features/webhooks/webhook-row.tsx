import { Badge } from "@chakra-ui/react/badge";
import { Flex } from "@chakra-ui/react/flex";
import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import { Text } from "@chakra-ui/react/text";
import { type RotatedWebhookSecret, type Webhook, webhooks } from "@vitaline/contract";
import { Alert } from "@chakra-ui/react/alert";
import { Button } from "@chakra-ui/react/button";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import { useState } from "react";
import { ActiveBadge } from "../../components/data/badges.tsx";
import { DateTime } from "../../components/data/text.tsx";
import { RowListItem } from "../../components/table/row-list.tsx";
import { eventNames, shortAddress } from "./delivery-format.ts";
import { call } from "../../lib/api/call.ts";
import { useAction, useInlineAction } from "../../lib/api/use-action.ts";
import { useRefresh } from "../../lib/api/use-refresh.ts";
import { announce } from "../../lib/toast.ts";
import { EditWebhook } from "./edit-webhook.tsx";
import { SecretDialog } from "./secret-dialog.tsx";
import { Confirmation } from "../../components/dialog/confirmation.tsx";

export const WebhookRow = ({ webhook, onDeleted }: { webhook: Webhook; onDeleted: () => void }) => (
  <RowListItem>
    <Stack gap="3" w="full" minW="0">
      <Flex align="center" gap="3" wrap="wrap" justify="space-between">
        <chakra.span fontFamily="mono" textStyle="sm" fontWeight="semibold" overflowWrap="anywhere" minW="0">
          {webhook.url}
        </chakra.span>
        <ActiveBadge isActive={webhook.isActive} />
      </Flex>
      {webhook.description === null ? null : <Text overflowWrap="anywhere">{webhook.description}</Text>}
      <DeliveryProblem webhook={webhook} />
      <Flex gap="2" wrap="wrap">
        {webhook.events.map((event) => (
          <Badge key={event} colorPalette="blue">
            {eventNames[event]}
          </Badge>
        ))}
        {webhook.includeContact ? <Badge colorPalette="orange">With contact details of leads</Badge> : null}
      </Flex>
      <Text textStyle="sm" color="fg.muted">
        Added <DateTime at={webhook.createdAt} />
      </Text>
      <WebhookActions webhook={webhook} onDeleted={onDeleted} />
    </Stack>
  </RowListItem>
);

const reasons = {
  gone: "Switched off automatically: the receiver answered 410 (Gone). Once it is back or has another address, switch the webhook on again.",
  failing: "Switched off automatically: nothing was delivered for five days. Once the receiver works again, switch the webhook on.",
};

const DeliveryProblem = ({ webhook: { isActive, disabledReason, failingSince } }: { webhook: Webhook }) => {
  if (!isActive && disabledReason !== null)
    return (
      <Alert.Root status="error">
        <Alert.Description>{reasons[disabledReason]}</Alert.Description>
      </Alert.Root>
    );
  if (!isActive || failingSince === null) return null;
  return (
    <Alert.Root status="warning">
      <Alert.Description>
        Nothing has arrived since <DateTime at={failingSince} />. Deliveries are retried; after five days the webhook is switched off.
      </Alert.Description>
    </Alert.Root>
  );
};

const WebhookActions = ({ webhook, onDeleted }: { webhook: Webhook; onDeleted: () => void }) => {
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

const useQuickActions = ({ id, isActive }: Webhook) => {
  const refresh = useRefresh();
  const params = { webhookId: id };
  const test = useAction(async () => {
    await call(webhooks.testWebhook, { params });
    announce({ type: "success", title: "Test is on its way", description: "Its result appears under Webhook deliveries." });
    await refresh(webhooks.listWebhookDeliveries);
  });
  const toggle = useAction(async () => {
    await call(webhooks.updateWebhook, { params, body: { isActive: !isActive } });
    announce({ type: "success", title: isActive ? "Webhook switched off" : "Webhook switched on" });
    await refresh(webhooks.listWebhooks);
  });
  return { test, toggle };
};

type Props = { webhook: Webhook; onDeleted: () => void; onClose: () => void };

const DeleteWebhook = ({ webhook, onDeleted, onClose }: Props) => {
  const refresh = useRefresh();
  const { run, isBusy, failure } = useInlineAction(async () => {
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
      {`Nothing more is sent to ${shortAddress(webhook.url)}, including pending deliveries. This cannot be undone.`}
    </Confirmation>
  );
};

type RotateSecretProps = { webhook: Webhook; onRotated: (secret: RotatedWebhookSecret) => void; onClose: () => void };

const RotateSecret = ({ webhook, onRotated, onClose }: RotateSecretProps) => {
  const { run, isBusy, failure } = useInlineAction(async () => {
    onRotated(await call(webhooks.rotateWebhookSecret, { params: { webhookId: webhook.id } }));
  });
  return (
    <Confirmation
      title="Rotate secret?"
      action="Rotate secret"
      busyAction="Rotating..."
      isBusy={isBusy}
      failure={failure}
      onConfirm={() => run()}
      onCancel={onClose}
    >
      A new signing secret is created and shown once. For one day, every request carries both signatures, so that nothing is lost while you
      update your receiver.
    </Confirmation>
  );
};
