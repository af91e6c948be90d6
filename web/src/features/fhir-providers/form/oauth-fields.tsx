import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { Stack } from "@chakra-ui/react/stack";
import { Flex } from "@chakra-ui/react/flex";
import { Text } from "@chakra-ui/react/text";
import type { FhirProvider } from "@vitaline/contract";
import { ChoiceField, TextAreaField, TextField } from "../../../components/form/fields.tsx";
import { StoredSecret } from "./security-fields.tsx";
import { markDirty, type ProviderFieldsProps } from "./provider-values.ts";
import { CopyButton } from "../../../components/data/copy-button.tsx";

const grantOptions = [
  { value: "client_credentials", label: "The platform (client credentials)" },
  { value: "authorization_code", label: "A person signs in once (authorization code)" },
];

const clientAuthOptions = [
  { value: "client_secret", label: "Client secret" },
  { value: "own_key", label: "Own private key" },
  { value: "platform_key", label: "Platform key" },
];

const urlInput = { type: "url", inputMode: "url", isOptional: true, autoComplete: "off", spellCheck: false } as const;

export const OAuthFields = ({ provider, field, form, mayUsePlatformKey }: ProviderFieldsProps) => {
  const [clientAuth, grant, providerType] = form.watch(["clientAuth", "grant", "providerType"]);
  const isRemoved = form.watch("removeClientSecret");
  return (
    <Stack gap="5">
      <SimpleGrid columns={{ base: 1, sm: 2 }} gap="5">
        <TextField label="Client ID" autoComplete="off" spellCheck={false} {...field("clientId")} />
        <ChoiceField
          label="Client authentication"
          options={mayUsePlatformKey ? clientAuthOptions : clientAuthOptions.filter(({ value }) => value !== "platform_key")}
          {...field("clientAuth")}
        />
      </SimpleGrid>
      <TextField
        label="Client Secret"
        hint={
          clientAuth === "own_key" ? "Not needed with a private key, which is under Security." : "Stored encrypted, and never shown again."
        }
        type="password"
        autoComplete="new-password"
        isOptional={clientAuth !== "client_secret" || Boolean(provider?.hasClientSecret)}
        {...field("clientSecret")}
      />
      {provider?.hasClientSecret ? (
        <StoredSecret
          what="client secret"
          isRemoved={isRemoved}
          onChange={(removed) => form.setValue("removeClientSecret", removed, markDirty)}
        />
      ) : null}
      <TextAreaField
        label="Scopes"
        hint="Separated by spaces, as in patient/*.read user/*.read"
        rows={3}
        spellCheck={false}
        {...field("scopes")}
      />
      <ChoiceField label="OAuth grant" options={grantOptions} {...field("grant")} />
      {grant === "authorization_code" ? <RedirectUriHint providerType={providerType} /> : null}
      <SimpleGrid columns={{ base: 1, sm: 2 }} gap="5">
        <TextField label="Auth URL" hint="Leave empty to discover it from the server." {...urlInput} {...field("authUrl")} />
        <TextField label="Token URL" hint="Leave empty to discover it from the server." {...urlInput} {...field("tokenUrl")} />
      </SimpleGrid>
      <TextField
        label="Redirect URI"
        hint="Only for a person's sign-in. Leave empty to use the platform's own."
        {...urlInput}
        {...field("redirectUri")}
      />
    </Stack>
  );
};

const RedirectUriHint = ({ providerType }: Pick<FhirProvider, "providerType">) => {
  const address = `${window.location.origin}/oauth/${providerType}/callback`;
  return (
    <Flex gap="3" align="center" justify="space-between" wrap="wrap" bg="bg.subtle" borderRadius="l2" px="4" py="2.5">
      <Text textStyle="sm" color="fg.muted" flex="1" minW="12rem" overflowWrap="anywhere">
        {`Register this redirect URI at the record system: ${address}`}
      </Text>
      <CopyButton what="redirect URI" text={address} />
    </Flex>
  );
};
