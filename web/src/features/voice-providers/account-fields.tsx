import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { type VoiceProvider, VoiceProviderType } from "@vitaline/contract";
import { ChoiceField, TextField } from "../../components/form/fields.tsx";
import { platformNames } from "../../lib/format/labels.ts";
import type { ProviderRequest } from "./provider-form.tsx";

type Props = Pick<ProviderRequest, "field">;

const types = VoiceProviderType.options.map((value) => ({ value, label: platformNames[value] }));
const secret = { type: "password", autoComplete: "off", spellCheck: false } as const;

const keptHint = (last4: string | null): string =>
  `Leave empty to keep the stored key${last4 === null ? "" : `, which ends in ${last4}`}. It is needed again for another base URL.`;

/** At which platform, under which name, and by which key. `provider`: the one that is changed. */
export const AccountFields = ({ field, provider }: Props & { provider: VoiceProvider | undefined }) => (
  <>
    <SimpleGrid columns={{ base: 1, sm: 2 }} gap="5" alignItems="start">
      {provider ? (
        <TextField
          label="Provider type"
          hint="It cannot change."
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
      hint={provider ? keptHint(provider.config.apiKeyLast4) : "The platform's own key. It is kept encrypted and never shown again."}
      isOptional={provider !== undefined}
      {...secret}
      {...field("config.apiKey")}
    />
  </>
);

/** Where the platform is, and its model: for those that have no address of their own. */
export const AddressFields = ({ field }: Props) => (
  <SimpleGrid columns={{ base: 1, sm: 2 }} gap="5" alignItems="start">
    <TextField
      label="Base URL"
      hint="Empty: the platform's own address."
      type="url"
      inputMode="url"
      autoComplete="off"
      isOptional
      {...field("config.baseUrl")}
    />
    <TextField label="Model" autoComplete="off" isOptional {...field("config.model")} />
  </SimpleGrid>
);
