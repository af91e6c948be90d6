import { useSearchParams } from "react-router-dom";

const dialogs = ["providers", "agents"] as const;
export type VoiceDialog = (typeof dialogs)[number];

const isId = (text: string | null): text is string => text !== null && /^[0-9a-z]{26}$/.test(text);

/** Which dialog of the tab the address says is open, and for which organization and office. "" is none. */
export const useVoicePlace = () => {
  const [search, setSearch] = useSearchParams();
  const named = (name: string): string => {
    const text = search.get(name);
    return isId(text) ? text : "";
  };
  const asked = search.get("dialog");
  const dialog = dialogs.find((one) => one === asked);
  const show = (tenantId: string, officeId = ""): void =>
    setSearch(
      { tab: "voice", dialog: dialog ?? "", ...(tenantId && { for: tenantId }), ...(officeId && { office: officeId }) },
      { replace: true },
    );
  return {
    dialog,
    tenantId: named("for"),
    officeId: named("office"),
    open: (opened: VoiceDialog, tenantId = "") => setSearch({ tab: "voice", dialog: opened, ...(tenantId && { for: tenantId }) }),
    show,
    /** In place of the open one, so that going back does not open it again. */
    close: () => setSearch({ tab: "voice" }, { replace: true }),
  };
};
