import { type VoiceProvider, VoiceProviderType } from "@vitaline/contract";
import AudioLines from "lucide-react/dist/esm/icons/audio-lines.mjs";
import Plus from "lucide-react/dist/esm/icons/plus.mjs";
import type { EachTenant } from "../../lib/api/use-each-tenant.ts";
import { EachTenantPanel } from "../../components/tenants/each-tenant-panel.tsx";
import { SummaryRows } from "../../components/table/recent-rows.tsx";
import { formatCount } from "../../lib/format/numbers.ts";
import { platformNames } from "../../lib/format/labels.ts";

type Props = { each: EachTenant<VoiceProvider[]>; onOpen: (tenantId?: string) => void };

export const VoiceProvidersPanel = ({ each, onOpen }: Props) => (
  <EachTenantPanel
    title="Voice Providers"
    description="The accounts at voice platforms that organizations' calls come from."
    button={{ name: "Add Provider", icon: Plus }}
    each={each}
    what="voice providers"
    empty={{
      icon: AudioLines,
      title: "No voice providers configured yet.",
      description: 'Click "Add Provider" to connect an organization to its voice platform.',
    }}
    counts={{ label: "Voice providers by platform", leastWidth: "8rem", of: countsOf }}
    newestLines={(newest) => newest.map(({ tenant, row }) => lineOf(row, tenant.name))}
    action="Configure"
    onOpen={onOpen}
  >
    {({ tenant, data }) => <SummaryRows label={tenant.name} lines={data.map((provider) => lineOf(provider))} />}
  </EachTenantPanel>
);

const countsOf = (providers: readonly VoiceProvider[]) =>
  VoiceProviderType.options.map((type) => {
    const count = providers.filter(({ providerType }) => providerType === type).length;
    return { name: `${platformNames[type]} ${count === 1 ? "provider" : "providers"}`, value: formatCount(count) };
  });

const lineOf = ({ id, providerName, providerType, isActive }: VoiceProvider, tenantName?: string) => ({
  id,
  title: providerName,
  details: [platformNames[providerType], ...(tenantName === undefined ? [] : [tenantName])],
  isActive,
});
