import { type RotatedWebhookSecret, type Webhook, webhooks } from "@vitaline/contract";
import { call } from "../../lib/api/call.ts";
import { useToldAction } from "../../lib/api/use-action.ts";
import { Confirmation } from "../../components/dialog/confirmation.tsx";

type Props = { webhook: Webhook; onRotated: (secret: RotatedWebhookSecret) => void; onClose: () => void };

/** Asks before a secret is replaced; the new one is in the answer alone. */
export const RotateSecret = ({ webhook, onRotated, onClose }: Props) => {
  const { run, isBusy, failure } = useToldAction(async () => {
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
      A new signing secret is made and shown once. For a day every request bears the signatures of both, so that nothing is lost while you
      change your receiver.
    </Confirmation>
  );
};
