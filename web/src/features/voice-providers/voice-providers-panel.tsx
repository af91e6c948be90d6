import { Button } from "@chakra-ui/react/button";
import { type VoiceProvider, VoiceProviderType } from "@vitaline/contract";
import AudioLines from "lucide-react/dist/esm/icons/audio-lines.mjs";
import Plus from "lucide-react/dist/esm/icons/plus.mjs";
import type { EachTenant } from "../../api/use-each-tenant.ts";
import { Counts } from "../../components/counts.tsx";
import { EachTenantBody } from "../../components/each-tenant-body.tsx";
import { Empty } from "../../components/empty.tsx";
import { Panel } from "../../components/panel.tsx";
import { RecentRows } from "../../components/recent-rows.tsx";
import { newest } from "../../components/newest.ts";
import { TenantGroups } from "../../components/tenant-groups.tsx";
import { formatCount } from "../../format/numbers.ts";
import { platformNames } from "../../format/platform-names.ts";

type Props = { each: EachTenant<VoiceProvider[]>; onOpen: (tenantId?: string) => void };

const lineOf = ({ id, providerName, providerType, isActive }: VoiceProvider, tenantName?: string) => ({
  id,
  title: providerName,
  details: [platformNames[providerType], ...(tenantName === undefined ? [] : [tenantName])],
  isActive,
});

const countsOf = (providers: readonly VoiceProvider[]) =>
  VoiceProviderType.options.map((type) => {
    const count = providers.filter(({ providerType }) => providerType === type).length;
    return { name: `${platformNames[type]} ${count === 1 ? "provider" : "providers"}`, value: formatCount(count) };
  });

/** The voice platforms that all organizations are connected to. */
export const VoiceProvidersPanel = ({ each, onOpen }: Props) => (
  <Panel
    title="Voice Providers"
    description="The accounts at voice platforms that organizations' calls come from."
    actions={
      <Button size="sm" aria-haspopup="dialog" onClick={() => onOpen()}>
        <Plus aria-hidden />
        Add Provider
      </Button>
    }
  >
    <EachTenantBody
      each={each}
      what="voice providers"
      empty={
        <Empty
          icon={AudioLines}
          title="No voice providers configured yet."
          description='Click "Add Provider" to connect an organization to its voice platform.'
        />
      }
    >
      {(groups) => (
        <>
          <Counts label="Voice providers by platform" counts={countsOf(groups.flatMap(({ data }) => data))} leastWidth="9rem" />
          <RecentRows label="Most recent voice providers" lines={newest(groups).map(({ tenant, row }) => lineOf(row, tenant.name))} />
          <TenantGroups
            title="Voice providers by organization"
            groups={groups.map(({ tenant, data }) => ({ tenant, lines: data.map((provider) => lineOf(provider)) }))}
            action="Configure"
            onOpen={onOpen}
          />
        </>
      )}
    </EachTenantBody>
  </Panel>
);
