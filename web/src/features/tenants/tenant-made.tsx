import { Button } from "@chakra-ui/react/button";
import { Flex } from "@chakra-ui/react/flex";
import { Stack } from "@chakra-ui/react/stack";
import { Text } from "@chakra-ui/react/text";
import { useEffect, useRef } from "react";
import { Success } from "../../components/feedback/notices.tsx";

type Props = { name: string; onInvite: () => void; onOpen: () => void; onDone: () => void };

/** What has been made, and what comes next. */
export const TenantMade = ({ name, onInvite, onOpen, onDone }: Props) => {
  const next = useRef<HTMLButtonElement>(null);
  // The form that had the focus is gone.
  useEffect(() => next.current?.focus(), []);
  return (
    <Stack gap="5">
      <Success text={`${name} was created.`} />
      <Text>
        It has its own API key, which stands under API &amp; Security. Nobody can sign in for it yet: invite its first administrator, who
        chooses a password by a link that is mailed to them.
      </Text>
      <Flex gap="3" wrap="wrap">
        <Button ref={next} aria-haspopup="dialog" onClick={onInvite}>
          Invite tenant admin
        </Button>
        <Button variant="outline" aria-haspopup="dialog" onClick={onOpen}>
          Open details
        </Button>
        <Button variant="outline" onClick={onDone}>
          Done
        </Button>
      </Flex>
    </Stack>
  );
};
