import type { VoiceProvider } from "@vitaline/contract";
import { useWatch } from "react-hook-form";
import { SwitchField } from "../../components/form/switch-field.tsx";
import { TextAreaField, TextField } from "../../components/form/fields.tsx";
import { AccountFields, AddressFields } from "./account-fields.tsx";
import type { ProviderRequest } from "./provider-form.tsx";
import { hasOwnAddress } from "./voice-provider-values.ts";

type Props = Pick<ProviderRequest, "field" | "form"> & { provider: VoiceProvider | undefined };

const secret = { type: "password", autoComplete: "off", spellCheck: false } as const;

/** Which account at which platform, and how it is used. Secrets only go in, never out. */
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
              : "With it the platform signs what it sends, so that nobody else can send it."
          }
          isOptional
          {...secret}
          {...field("webhookSecret")}
        />
      )}
      {hasSecret ? <SwitchField label="Remove the stored webhook secret" {...removeSecret} /> : null}
      <TextAreaField
        label="Settings"
        hint="A JSON object of what else the platform is told, such as a model and voice for Vapi."
        isOptional
        rows={3}
        fontFamily="mono"
        spellCheck={false}
        {...field("config.settings")}
      />
      <SwitchField label="Default provider" hint="An organization has one: setting this takes it from the one before." {...isDefault} />
      <SwitchField label="Active" hint="An inactive one lists no agents, and what it sends is refused." {...isActive} />
    </>
  );
};
