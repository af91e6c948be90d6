import type { TenantFhirProvider } from "@vitaline/contract";

type Provider = Pick<TenantFhirProvider, "id" | "providerName" | "isActive" | "isDefault">;

const stateOf = ({ isActive }: Provider): string => (isActive ? "" : " (inactive)");

/** What an office may choose: "" inherits. What it has is among them, also where it is not listed any more. */
export const recordSystemOptions = (providers: readonly Provider[], current: string): { value: string; label: string }[] => {
  const inherited = providers.find(({ isDefault }) => isDefault);
  const known = providers.some(({ id }) => id === current);
  return [
    { value: "", label: `As the organization: ${inherited ? inherited.providerName + stateOf(inherited) : "none"}` },
    ...providers.map((provider) => ({ value: provider.id, label: provider.providerName + stateOf(provider) })),
    ...(current === "" || known ? [] : [{ value: current, label: "Another record system" }]),
  ];
};

/** The platform keeps it for this tenant only as long as an office uses it. */
export const mayBeLost = (providers: readonly (Provider & Pick<TenantFhirProvider, "isOwn">)[], current: string): boolean => {
  const provider = providers.find(({ id }) => id === current);
  return current !== "" && !provider?.isOwn && !provider?.isDefault;
};
