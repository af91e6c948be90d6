import { Alert } from "@chakra-ui/react/alert";
import { Button } from "@chakra-ui/react/button";
import { Stack } from "@chakra-ui/react/stack";
import { Text } from "@chakra-ui/react/text";
import { useState } from "react";
import { CodeBlock } from "../../components/data/copy-button.tsx";
import { Dialog } from "../../components/dialog/dialog.tsx";
import { Modal } from "../../components/dialog/modal.tsx";
import { DateTime } from "../../components/data/text.tsx";
import { OutsideLink } from "../../components/layout/links.tsx";

type Props = {
  secret: string;
  /** Until when the previous secret is valid */
  previousUntil?: string;
  onClose: () => void;
};

/** The secret is shown only once; closing without copying asks first. */
export const SecretDialog = ({ secret, previousUntil, onClose }: Props) => {
  const [isCopied, setIsCopied] = useState(false);
  const [isAsking, setIsAsking] = useState(false);
  return (
    <Dialog
      title="Signing secret"
      description="Your receiver uses it to verify that a request comes from Vitaline."
      onClose={() => (isCopied ? onClose() : setIsAsking(true))}
    >
      <Stack gap="5">
        <Alert.Root status="warning">
          <Alert.Description>Copy it now: it is not shown again. If you lose it, create a new one with “Rotate secret”.</Alert.Description>
        </Alert.Root>
        <CodeBlock label="Webhook signing secret" text={secret} onCopied={() => setIsCopied(true)} />
        {previousUntil === undefined ? null : (
          <Text>
            Until <DateTime at={previousUntil} />, every request carries both signatures, of this secret and of the previous one. Update
            your receiver by then.
          </Text>
        )}
        <Text textStyle="sm" color="fg.muted">
          Requests follow Standard Webhooks, with the headers webhook-id, webhook-timestamp and webhook-signature; there is{" "}
          <OutsideLink href="https://www.standardwebhooks.com">a library that checks them</OutsideLink> for most languages. The same event
          may arrive twice, under the same webhook-id.
        </Text>
        <Button alignSelf="flex-start" onClick={onClose}>
          I have stored it
        </Button>
      </Stack>
      {isAsking ? (
        <Modal
          title="Close without copying it?"
          onClose={() => setIsAsking(false)}
          actions={
            <>
              <Button variant="outline" onClick={() => setIsAsking(false)}>
                Keep it open
              </Button>
              <Button colorPalette="red" onClick={onClose}>
                Close
              </Button>
            </>
          }
        >
          The signing secret is not shown again.
        </Modal>
      ) : null}
    </Dialog>
  );
};
