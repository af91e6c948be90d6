import { Alert } from "@chakra-ui/react/alert";
import type { Webhook } from "@vitaline/contract";
import { Moment } from "../../components/data/text.tsx";

const reasons = {
  gone: "Switched off by itself: the receiver answered 410, which means that it is gone. Once it is back, or has another address, switch the webhook on again.",
  failing: "Switched off by itself: nothing has arrived for five days. Once the receiver is well, switch the webhook on again.",
};

/** Why nothing arrives, if nothing does. */
export const WebhookTrouble = ({ webhook: { isActive, disabledReason, failingSince } }: { webhook: Webhook }) => {
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
        Nothing has arrived since <Moment at={failingSince} />. It is tried again, and after five days it is switched off.
      </Alert.Description>
    </Alert.Root>
  );
};
