import { Tabs } from "@chakra-ui/react/tabs";
import type { TenantDetail, TenantProfile } from "@vitaline/contract";
import { lazy, type ReactNode, Suspense, useEffect, useState } from "react";
import type { TellDraft } from "../../lib/forms/drafts.ts";
import { useLaterFocus } from "../../lib/dom/use-later-focus.ts";
import { tabStrip, useOpenTab } from "../../components/layout/tabs.tsx";
import { Waiting } from "../../components/feedback/waiting.tsx";
import type { ErasureWays } from "../erasures/tenant-erasures.tsx";
import { DetailsPart } from "./details-part.tsx";
import type { Opening } from "./tenant-table.tsx";
import { type TenantPart, tenantParts } from "./use-tenant-place.ts";

const OfficesPart = lazy(() => import("./offices-part.tsx"));
const SecurityPart = lazy(() => import("./security-part.tsx"));
const PreferencesPart = lazy(() => import("./preferences-part.tsx"));

/** What every form of the dialog is given. */
export type Saving = {
  tenant: TenantDetail;
  onSaved: (profile: TenantProfile) => void;
  /** Reads again what somebody else has saved meanwhile. */ onStale: () => Promise<void>;
  onDraft: TellDraft;
};

type Props = Saving & {
  part: TenantPart;
  opening: Opening;
  /** One of the forms holds what leaving the page would lose. */ hasDrafts: boolean;
  onInvite: () => void;
  onOffice: (officeId: string) => void;
  erasing: ErasureWays;
};

export const TenantParts = ({ part, opening, hasDrafts, onInvite, onOffice, erasing, ...saving }: Props) => {
  const tabs = useOpenTab(part);
  const edit = useLaterFocus();
  const [first] = useState({ part, opening });
  useEffect(() => {
    const focus = () => {
      if (first.opening === "edit" && first.part === "details") edit.button.current?.focus();
      else tabs.current?.querySelector<HTMLElement>("[aria-selected=true]")?.focus();
    };
    // Later than the dialog around it, which puts the focus at its first button.
    queueMicrotask(focus);
  }, [first, edit.button, tabs]);
  const contents: Record<TenantPart, ReactNode> = {
    details: <DetailsPart {...saving} {...{ edit, hasDrafts, onInvite, erasing }} />,
    offices: <OfficesPart tenantId={saving.tenant.id} onOpen={onOffice} />,
    api: <SecurityPart {...saving} isShown={part === "api"} />,
    preferences: <PreferencesPart {...saving} />,
  };
  return (
    <>
      <Tabs.List ref={tabs} aria-label="Parts of the tenant" {...tabStrip}>
        {tenantParts.map(({ value, label }) => (
          <Tabs.Trigger key={value} value={value} flexShrink="0">
            {label}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      {tenantParts.map(({ value, label }) => (
        <Tabs.Content key={value} value={value}>
          <Suspense fallback={<Waiting text={`Loading ${label}...`} />}>{contents[value]}</Suspense>
        </Tabs.Content>
      ))}
    </>
  );
};
