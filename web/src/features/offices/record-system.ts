import { type OfficeDetail, type TenantFhirProvider, tenantFhirProviders, tenantOffices } from "@vitaline/contract";
import { useRef, useState } from "react";
import { explain, isStale } from "../../lib/api/api-error.ts";
import { call } from "../../lib/api/call.ts";
import { useRefresh } from "../../lib/api/use-refresh.ts";
import type { OfficeFormState } from "./form/use-office-form.ts";
import { useInlineAction } from "../../lib/api/use-action.ts";

type Provider = Pick<TenantFhirProvider, "id" | "providerName" | "isActive" | "isDefault">;

/** "" inherits. The current choice is an option even if the list does not contain it. */
export const recordSystemOptions = (providers: readonly Provider[], current: string): { value: string; label: string }[] => {
  const inherited = providers.find(({ isDefault }) => isDefault);
  const known = providers.some(({ id }) => id === current);
  return [
    { value: "", label: `Same as the organization: ${inherited ? inherited.providerName + stateOf(inherited) : "none"}` },
    ...providers.map((provider) => ({ value: provider.id, label: provider.providerName + stateOf(provider) })),
    ...(current === "" || known ? [] : [{ value: current, label: "Another record system" }]),
  ];
};

const stateOf = ({ isActive }: Provider): string => (isActive ? "" : " (inactive)");

/** The tenant loses a platform provider once none of its offices uses it. */
export const losesProvider = (providers: readonly (Provider & Pick<TenantFhirProvider, "isOwn">)[], current: string): boolean => {
  const provider = providers.find(({ id }) => id === current);
  return current !== "" && !provider?.isOwn && !provider?.isDefault;
};

/** Ids of record systems; "" is the organization's. */
export const useRecordSystem = ({ id, fhirProviderId }: OfficeDetail, form: OfficeFormState) => {
  const refresh = useRefresh();
  const [saved, setSaved] = useState(fhirProviderId ?? "");
  const [chosen, setChosen] = useState(saved);
  const [isSaved, setIsSaved] = useState(false);
  /** The version after a conflict. The form keeps its own and reports the conflict itself. */
  const newest = useRef(0);
  const params = { officeId: id };

  const save = useInlineAction(async () => {
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
    // A provider without offices is no longer offered.
    await refresh(tenantOffices.officeCards, tenantFhirProviders.listTenantFhirProviders);
  }, explainFailure);

  const choose = (to: string) => {
    setChosen(to);
    setIsSaved(false);
  };
  return { saved, chosen, choose, save, isSaved };
};

const explainFailure = (error: unknown): string =>
  isStale(error) ? "Someone else has changed this office. Your choice is still here: save again to apply it." : explain(error);
