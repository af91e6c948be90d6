import { Button } from "@chakra-ui/react/button";
import { Stack } from "@chakra-ui/react/stack";
import { type TenantFhirProvider, tenantFhirProviders } from "@vitaline/contract";
import Plus from "lucide-react/dist/esm/icons/plus.mjs";
import { lazy, Suspense, useState } from "react";
import { call } from "../../../lib/api/call.ts";
import { useApi } from "../../../lib/api/use-api.ts";
import { useRefresh } from "../../../lib/api/use-refresh.ts";
import { Panel } from "../../../components/layout/panel.tsx";
import { AuthorizationNotice } from "../authorization.tsx";
import { OperationsPanel } from "./operations-panel.tsx";
import { OwnRequests } from "../../requests/own-requests.tsx";
import { ProviderList } from "./provider-list.tsx";
import { CheckList } from "../../../components/layout/page-section.tsx";
import { TextLink } from "../../../components/layout/links.tsx";

const AddProviderDialog = lazy(() => import("./add-provider-dialog.tsx"));
const ConfigureDialog = lazy(() => import("./configure-dialog.tsx"));
const TenantTestDialog = lazy(() => import("./tenant-test-dialog.tsx"));

type Opened = { what: "add" } | { what: "configure" | "test"; providerId: string };

const { listTenantFhirProviders, listOwnFhirProviders } = tenantFhirProviders;

const FhirTab = () => {
  const providers = useApi(listTenantFhirProviders, {});
  const own = useApi(listOwnFhirProviders, {}, { when: providers.data?.some(({ isOwn }) => isOwn) ?? false });
  const [opened, setOpened] = useState<Opened>();
  const refresh = useRefresh();
  const close = () => setOpened(undefined);
  const chosen = providers.data?.find(({ id }) => opened && opened.what !== "add" && opened.providerId === id);
  return (
    <Stack gap="panels">
      <AuthorizationNotice />
      <Panel
        title="FHIR Integration"
        description="The record systems that your voice agents read from and write to"
        actions={
          <Button size="sm" onClick={() => setOpened({ what: "add" })}>
            <Plus aria-hidden />
            Add Provider
          </Button>
        }
      >
        <ProviderList
          providers={providers}
          own={own.data ?? []}
          onAdd={() => setOpened({ what: "add" })}
          onConfigure={(providerId) => setOpened({ what: "configure", providerId })}
          onTest={(providerId) => setOpened({ what: "test", providerId })}
          authorize={(id) => call(tenantFhirProviders.authorizeOwnFhirProvider, { params: { id } })}
        />
      </Panel>
      <OwnRequests kind="record_system" />
      {providers.data ? <OperationsPanel providers={providers.data} /> : null}
      <SafetyPanel providers={providers.data ?? []} />
      <Suspense fallback={null}>
        {opened?.what === "add" ? <AddProviderDialog onClose={close} /> : null}
        {opened?.what === "configure" && chosen ? <ConfigureDialog provider={chosen} own={own} onClose={close} /> : null}
        {opened?.what === "test" && chosen ? (
          <TenantTestDialog
            providers={providers.data ?? []}
            providerId={chosen.id}
            onTested={() => void refresh(listTenantFhirProviders)}
            onClose={close}
          />
        ) : null}
      </Suspense>
    </Stack>
  );
};

export default FhirTab;

const SafetyPanel = ({ providers }: { providers: readonly TenantFhirProvider[] }) => (
  <Panel title="HIPAA, encryption and audit" description="Applies to every connection on this page">
    <CheckList items={safetyFacts(providers)} />
    <TextLink to="?tab=audit" mt="5" alignSelf="flex-start" textStyle="sm">
      Open the audit log
    </TextLink>
  </Panel>
);

const safetyFacts = (providers: readonly TenantFhirProvider[]): string[] => [
  "HIPAA: each operation asks a record system for no more rights than it needs.",
  `${transportText(providers)} Client secrets and private keys are stored encrypted and are never shown again.`,
  "Audit: every access to a patient's record, each connection test included, is written to your audit log.",
];

/** Plain HTTP occurs only in local trials; deployed platforms refuse it. */
const transportText = (providers: readonly TenantFhirProvider[]): string => {
  const plain = providers.filter(usesPlainHttp).map(({ providerName }) => providerName);
  return plain.length === 0
    ? "Encryption: records travel over TLS only."
    : `Encryption: records travel over TLS, except to ${plain.join(" and ")}, whose address begins with http.`;
};

const usesPlainHttp = ({ baseUrl }: Pick<TenantFhirProvider, "baseUrl">): boolean => baseUrl.startsWith("http:");
