import { type VoiceProvider, VoiceProviderType } from "@vitaline/contract";
import { useWatch } from "react-hook-form";
import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { SwitchField } from "../../components/form/switch-field.tsx";
import { ChoiceField, TextAreaField, TextField } from "../../components/form/fields.tsx";
import { hasOwnAddress, type TypedVoiceProvider } from "./voice-provider-values.ts";
import type { useRequestForm } from "../../lib/forms/use-request-form.ts";
import { platformNames } from "../../lib/format/labels.ts";

export type ProviderRequest = Pick<
  ReturnType<typeof useRequestForm<TypedVoiceProvider, unknown>>,
  "field" | "failure" | "isBusy" | "submit"
> & {
  form: Pick<ReturnType<typeof useRequestForm<TypedVoiceProvider, unknown>>["form"], "control" | "formState" | "setValue">;
};

type Props = Pick<ProviderRequest, "field" | "form"> & { provider: VoiceProvider | undefined };

const secret = { type: "password", autoComplete: "off", spellCheck: false } as const;

export const ProviderFields = ({ field, form, provider }: Props) => {
  const [type, isRemoved] = useWatch({ control: form.control, name: ["providerType", "removeWebhookSecret"] });
  const [{ error: _a, ...removeSecret }, { error: _b, ...isDefault }, { error: _c, ...isActive }] = [
    field("removeWebhookSecret"),
    field("isDefault"),
    field("isActive"),
  ];
  const hasSecret = provider?.config.hasWebhookSecret ?? false;
  return (
    <>
      <AccountFields {...{ field, provider }} />
      {hasOwnAddress(type) ? <AddressFields field={field} /> : null}
      <TextField label="Default voice" autoComplete="off" isOptional {...field("config.voice")} />
      {isRemoved ? null : (
        <TextField
          label="Webhook secret"
          hint={
            hasSecret
              ? "Leave empty to keep the stored secret."
              : "The platform signs its requests with it, so that forged ones are refused."
          }
          isOptional
          {...secret}
          {...field("webhookSecret")}
        />
      )}
      {hasSecret ? <SwitchField label="Remove the stored webhook secret" {...removeSecret} /> : null}
      <TextAreaField
        label="Settings"
        hint="A JSON object with further settings for the platform, such as a model and voice for Vapi."
        isOptional
        rows={3}
        fontFamily="mono"
        spellCheck={false}
        {...field("config.settings")}
      />
      <SwitchField label="Default provider" hint="Each organization has one; setting this replaces the previous one." {...isDefault} />
      <SwitchField label="Active" hint="An inactive provider lists no agents, and its requests are refused." {...isActive} />
    </>
  );
};

type AccountFieldsProps = Pick<ProviderRequest, "field">;

const types = VoiceProviderType.options.map((value) => ({ value, label: platformNames[value] }));

const AccountFields = ({ field, provider }: AccountFieldsProps & { provider: VoiceProvider | undefined }) => (
  <>
    <SimpleGrid columns={{ base: 1, sm: 2 }} gap="5" alignItems="start">
      {provider ? (
        <TextField
          label="Provider type"
          hint="It cannot be changed."
          error={undefined}
          value={platformNames[provider.providerType]}
          readOnly
          bg="bg.muted"
        />
      ) : (
        <ChoiceField label="Provider type" options={types} {...field("providerType")} />
      )}
      <TextField label="Provider name" autoComplete="off" {...field("providerName")} />
    </SimpleGrid>
    <TextField
      label="API key"
      hint={provider ? storedKeyHint(provider.config.apiKeyLast4) : "The platform's own key. It is kept encrypted and never shown again."}
      isOptional={provider !== undefined}
      {...secret}
      {...field("config.apiKey")}
    />
  </>
);

const storedKeyHint = (last4: string | null): string =>
  `Leave empty to keep the stored key${last4 === null ? "" : `, which ends in ${last4}`}. If you change the base URL, enter the key again.`;

const AddressFields = ({ field }: AccountFieldsProps) => (
  <SimpleGrid columns={{ base: 1, sm: 2 }} gap="5" alignItems="start">
    <TextField
      label="Base URL"
      hint="Leave empty for the platform's own address."
      type="url"
      inputMode="url"
      autoComplete="off"
      isOptional
      {...field("config.baseUrl")}
    />
    <TextField label="Model" autoComplete="off" isOptional {...field("config.model")} />
  </SimpleGrid>
);
