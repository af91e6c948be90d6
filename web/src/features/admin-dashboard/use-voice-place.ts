import { isRecordId, useSearchValues } from "../../lib/routing/search-params.ts";

const dialogs = ["providers", "agents"] as const;
export type VoiceDialog = (typeof dialogs)[number];

/** Which dialog of the tab the address says is open, and for which organization and office. "" is none. */
export const useVoicePlace = () => {
  const { search, go, replace } = useSearchValues();
  const named = (name: string): string => {
    const text = search.get(name);
    return isRecordId(text) ? text : "";
  };
  const asked = search.get("dialog");
  return {
    dialog: dialogs.find((one) => one === asked),
    tenantId: named("for"),
    officeId: named("office"),
    open: (opened: VoiceDialog, tenantId = "") => go({ dialog: opened, for: tenantId, office: "" }),
    show: (tenantId: string, officeId = "") => replace({ for: tenantId, office: officeId }),
    /** In place of the open one, so that going back does not open it again. */
    close: () => replace({ dialog: "", for: "", office: "" }),
  };
};
