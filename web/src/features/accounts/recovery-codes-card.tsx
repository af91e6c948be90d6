import { Alert } from "@chakra-ui/react/alert";
import { Button } from "@chakra-ui/react/button";
import { Flex } from "@chakra-ui/react/flex";
import { chakra } from "@chakra-ui/react/styled-system";
import { useState } from "react";
import { CopyButton } from "../../components/data/copy-button.tsx";
import { FormCard } from "../../components/form/form-card.tsx";

type Props = { codes: string[]; onDone: () => Promise<void> };

/** Shown once: the server keeps only what it needs to know them again. */
export const RecoveryCodesCard = ({ codes, onDone }: Props) => {
  const [isLeaving, setIsLeaving] = useState(false);
  const leave = async () => {
    setIsLeaving(true);
    await onDone();
  };
  return (
    <FormCard
      title="Save your recovery codes"
      lead="Two-factor sign-in is on. Each of these codes stands for your authenticator once, should you lose your phone."
      isStep
    >
      <Alert.Root status="warning">
        <Alert.Description>They are shown only now. Keep them where you keep your passwords.</Alert.Description>
      </Alert.Root>
      <chakra.ul
        aria-label="Recovery codes"
        listStyleType="none"
        display="grid"
        gridTemplateColumns={{ base: "1fr", sm: "1fr 1fr" }}
        gap="2"
        p="4"
        bg="bg.muted"
        borderRadius="l2"
        fontFamily="mono"
        textStyle="sm"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </chakra.ul>
      <Flex gap="3" wrap="wrap" align="center" justify="space-between">
        <CopyButton what="recovery codes" text={codes.join("\n")} />
        <Button aria-disabled={isLeaving} onClick={() => isLeaving || void leave()}>
          {isLeaving ? "Opening..." : "I have saved them"}
        </Button>
      </Flex>
    </FormCard>
  );
};
