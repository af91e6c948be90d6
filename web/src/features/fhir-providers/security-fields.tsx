import { Stack } from "@chakra-ui/react/stack";
import { TextAreaField } from "../../components/form/fields.tsx";
import { KeptSecret } from "./kept-secret.tsx";
import { asTyped, type ProviderFieldsProps } from "./provider-fields.ts";

const asPem = { rows: 5, fontFamily: "mono", textStyle: "xs", spellCheck: false, autoComplete: "off" } as const;

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
        {...asPem}
        {...field("certificateData")}
      />
      <TextAreaField
        label="Private Key"
        hint={`In PEM form, without a passphrase. Stored encrypted, and never shown again.${ofEpic}${instead}`}
        isOptional={clientAuth !== "own_key" || Boolean(provider?.hasPrivateKey)}
        {...asPem}
        {...field("privateKey")}
      />
      {provider?.hasPrivateKey ? (
        <KeptSecret what="private key" isRemoved={isRemoved} onChange={(removed) => form.setValue("removePrivateKey", removed, asTyped)} />
      ) : null}
    </Stack>
  );
};
