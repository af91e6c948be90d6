import { type OfficeDetail, tenantFhirProviders, tenantOffices } from "@vitaline/contract";
import { useRef, useState } from "react";
import { explain, isStale } from "../../lib/api/api-error.ts";
import { call } from "../../lib/api/call.ts";
import { useRefresh } from "../../lib/api/use-refresh.ts";
import type { OfficeFormState } from "./use-office-form.ts";
import { useToldAction } from "../../lib/api/use-action.ts";

const inWords = (error: unknown): string =>
  isStale(error)
    ? "Somebody else has changed this office in the meantime. What you chose is still here: save again to set it."
    : explain(error);

/** An office's record system as it is saved and as it is chosen, by id; "" is the organization's. */
export const useRecordSystem = ({ id, fhirProviderId }: OfficeDetail, form: OfficeFormState) => {
  const refresh = useRefresh();
  const [saved, setSaved] = useState(fhirProviderId ?? "");
  const [chosen, setChosen] = useState(saved);
  const [isSaved, setIsSaved] = useState(false);
  /** Of the office when it was read after somebody else had saved it; the form goes on from the one it knows, and says so itself. */
  const newest = useRef(0);
  const params = { officeId: id };

  const save = useToldAction(async () => {
    setIsSaved(false);
    try {
      const answer = await call(
        tenantFhirProviders.assignOwnOfficeFhirProvider,
        { params, body: { fhirProviderId: chosen || null } },
        { ifMatch: Math.max(form.versionNow() ?? 0, newest.current) },
      );
      newest.current = answer.version;
      form.tellVersion(answer.version);
    } catch (error) {
      if (isStale(error)) {
        const theirs = await call(tenantOffices.getOwnOffice, { params });
        newest.current = theirs.version;
        setSaved(theirs.fhirProviderId ?? "");
      }
      throw error;
    }
    setSaved(chosen);
    setIsSaved(true);
    // What no office uses any more is no longer offered.
    await refresh(tenantOffices.officeCards, tenantFhirProviders.listTenantFhirProviders);
  }, inWords);

  const choose = (to: string) => {
    setChosen(to);
    setIsSaved(false);
  };
  return { saved, chosen, choose, save, isSaved };
};
