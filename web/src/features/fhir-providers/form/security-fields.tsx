import { Stack } from "@chakra-ui/react/stack";
import { Button } from "@chakra-ui/react/button";
import { Flex } from "@chakra-ui/react/flex";
import { Text } from "@chakra-ui/react/text";
import { TextAreaField } from "../../../components/form/fields.tsx";
import { markDirty, type ProviderFieldsProps } from "./provider-values.ts";

type Props = {
  what: string;
  isRemoved: boolean;
  onChange: (isRemoved: boolean) => void;
};

export const StoredSecret = ({ what, isRemoved, onChange }: Props) => (
  <Flex gap="3" align="center" justify="space-between" wrap="wrap" bg="bg.subtle" borderRadius="l2" px="4" py="2.5">
    <Text as="output" textStyle="sm" color="fg.muted" flex="1" minW="12rem">
      {isRemoved ? `The stored ${what} is removed when you save.` : `A ${what} is stored. Leave the field empty to keep it.`}
    </Text>
    <Button size="sm" variant="outline" onClick={() => onChange(!isRemoved)}>
      {isRemoved ? `Keep ${what}` : `Remove ${what}`}
    </Button>
  </Flex>
);

const pemInput = { rows: 5, fontFamily: "mono", textStyle: "xs", spellCheck: false, autoComplete: "off" } as const;

export const SecurityFields = ({ provider, field, form, mayUsePlatformKey }: ProviderFieldsProps) => {
  const [clientAuth, providerType, isRemoved] = form.watch(["clientAuth", "providerType", "removePrivateKey"]);
  const ofEpic = providerType === "epic" ? " Required for Epic." : "";
  const instead = mayUsePlatformKey ? " Without one, the platform key is used when it is chosen under OAuth Config." : "";
  return (
    <Stack gap="5">
      <TextAreaField
        label="Certificate"
        hint="X.509 in PEM form. It begins with -----BEGIN CERTIFICATE-----"
        isOptional
        {...pemInput}
        {...field("certificateData")}
      />
      <TextAreaField
        label="Private Key"
        hint={`In PEM form, without a passphrase. Stored encrypted, and never shown again.${ofEpic}${instead}`}
        isOptional={clientAuth !== "own_key" || Boolean(provider?.hasPrivateKey)}
        {...pemInput}
        {...field("privateKey")}
      />
      {provider?.hasPrivateKey ? (
        <StoredSecret
          what="private key"
          isRemoved={isRemoved}
          onChange={(removed) => form.setValue("removePrivateKey", removed, markDirty)}
        />
      ) : null}
    </Stack>
  );
};
