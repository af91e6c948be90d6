import type { VoiceProvider } from "@vitaline/contract";
import AudioLines from "lucide-react/dist/esm/icons/audio-lines.mjs";
import { Empty } from "../../components/feedback/empty.tsx";
import { RowList } from "../../components/table/row-list.tsx";
import { ProviderRow } from "./provider-row.tsx";

/** An organization's voice providers, or how the first one comes to be. */
export const ProviderList = ({ providers, onEdit }: { providers: readonly VoiceProvider[]; onEdit: (id: string) => void }) =>
  providers.length === 0 ? (
    <Empty
      icon={AudioLines}
      title="No voice providers configured for this organization."
      description="Add the account at the voice platform that its calls come from."
    />
  ) : (
    <RowList label="Voice providers">
      {providers.map((provider) => (
        <ProviderRow key={provider.id} provider={provider} onEdit={() => onEdit(provider.id)} />
      ))}
    </RowList>
  );
