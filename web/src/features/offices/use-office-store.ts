import type { Office, OfficeChange, Route } from "@vitaline/contract";
import { useRefresh } from "../../lib/api/use-refresh.ts";
import { announce } from "../../lib/toast.ts";
import type { OfficeStore } from "./use-office-form.ts";

/** How an office is reached, by its own tenant or by the platform's administrator. */
type Ways = {
  create: (body: OfficeChange) => Promise<Office>;
  update: (body: OfficeChange, version: number) => Promise<Office>;
  read: () => Promise<Office>;
  /** What shows it beside its dialog. */ list: Pick<Route, "path">;
};

/** Keeps an office; then the dialog is done. */
export const useOfficeStore = ({ create, update, read, list }: Ways, onSaved: () => void): OfficeStore => {
  const refresh = useRefresh();
  return {
    save: async (change, version) => {
      const isNew = version === undefined;
      const { name } = isNew ? await create(change) : await update(change, version);
      announce({ type: "success", title: isNew ? "Office added" : "Office saved", description: name });
      onSaved();
      await refresh(list);
    },
    readAgain: read,
  };
};
