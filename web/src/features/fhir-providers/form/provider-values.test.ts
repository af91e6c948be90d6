import { defaultFhirScopes, type FhirPreset, type FhirProvider } from "@vitaline/contract";
import { describe, expect, test } from "vitest";
import { formTabs } from "./form-tabs.ts";
import { differences, emptyValues, presetValues, providerSchema, type ProviderValues, valuesOf } from "./provider-values.ts";

const filled: ProviderValues = {
  ...emptyValues,
  name: "Our EHR",
  baseUrl: "https://ehr.example/r4",
  clientId: "clinic",
  clientSecret: "typed secret",
};
const kept: FhirProvider = {
  ...{ id: "01hzzzzzzzzzzzzzzzzzzzzzz2", name: "Our EHR", providerName: "Our EHR", providerType: "custom", fhirVersion: "STU3" },
  ...{ baseUrl: "https://ehr.example/r4", clientId: "clinic", clientAuth: "client_secret", grant: "client_credentials" },
  ...{ isAuthorized: false, hasClientSecret: true, hasPrivateKey: false, scopes: "user/Patient.read", access: "Read Only" },
  ...{ resourceCount: 1, redirectUri: null, authUrl: null, tokenUrl: "https://ehr.example/token", certificateData: null },
  ...{ isActive: true, description: null, connectionStatus: "unknown", ownerTenantId: null, ownerTenantName: null },
  ...{ createdAt: "2026-01-01T00:00:00.000Z", version: 3 },
};
const problemsOf = (provider: FhirProvider | undefined, values: ProviderValues): Record<string, string> =>
  Object.fromEntries(
    (providerSchema(provider).safeParse(values).error?.issues ?? []).map(({ path, message }) => [path.join("."), message]),
  );

describe("the form of a provider", () => {
  test("reports every missing field at once, with the contract's messages", () => {
    expect(problemsOf(undefined, { ...emptyValues, scopes: " ", authUrl: "not a url" })).toEqual({
      name: "Provider name is required",
      baseUrl: "Must be a valid URL",
      clientId: "Client ID is required",
      clientSecret: "Client Secret is required",
      scopes: "Scopes are required",
      authUrl: "Must be a valid URL",
    });
    expect(problemsOf(undefined, filled)).toEqual({});
  });

  test("requires the secret or key of the chosen client authentication, unless one is stored and kept", () => {
    const retyped = { ...valuesOf(kept), clientSecret: "" };
    expect(problemsOf(kept, retyped)).toEqual({});
    expect(problemsOf(kept, { ...retyped, removeClientSecret: true })).toEqual({ clientSecret: "Client Secret is required" });
    expect(problemsOf(kept, { ...retyped, clientAuth: "own_key" })).toEqual({ privateKey: "Private key is required" });
    expect(problemsOf({ ...kept, hasPrivateKey: true }, { ...retyped, clientAuth: "own_key" })).toEqual({});
  });

  test("leaves out empty fields, and can remove a stored secret", () => {
    const sent = (values: Partial<ProviderValues>) =>
      JSON.parse(JSON.stringify(providerSchema(kept).parse({ ...valuesOf(kept), ...values })));
    expect(sent({})).not.toHaveProperty("clientSecret");
    expect(sent({})).not.toHaveProperty("removeClientSecret");
    expect(sent({ tokenUrl: " " })).not.toHaveProperty("tokenUrl");
    expect(sent({ clientAuth: "own_key", privateKey: "-----BEGIN", removeClientSecret: true })).toMatchObject({
      privateKey: "-----BEGIN",
      removeClientSecret: true,
    });
  });

  test("starts without stored secrets, and shows every field in one tab", () => {
    expect(valuesOf(kept)).toMatchObject({ name: "Our EHR", authUrl: "", tokenUrl: "https://ehr.example/token", clientSecret: "" });
    const shown = formTabs.flatMap(({ fields }): string[] => [...fields]);
    expect(shown.toSorted()).toEqual(
      Object.keys(emptyValues)
        .filter((name) => !name.startsWith("remove"))
        .toSorted(),
    );
  });

  test("names the fields that another user has changed", () => {
    expect(differences(kept, { ...kept, version: 4, name: "Theirs", tokenUrl: null })).toEqual(["name", "Token URL"]);
    expect(differences(kept, { ...kept, version: 4 })).toEqual([]);
  });
});

describe("choosing a provider type", () => {
  const preset = (providerType: FhirPreset["providerType"], more: Partial<FhirPreset> = {}): FhirPreset => ({
    ...{ providerType, baseUrl: null, redirectUri: null, scopes: `${providerType}/*.read` },
    ...{ authUrl: `https://${providerType}.example/authorize`, tokenUrl: `https://${providerType}.example/token` },
    ...more,
  });
  const presets = [preset("epic", { baseUrl: "https://epic.example/r4" }), preset("cerner")];

  test("fills in the vendor's preset and clears the values of another preset", () => {
    const epic = { ...emptyValues, ...presetValues(emptyValues, "epic", presets) };
    expect(epic).toMatchObject({ baseUrl: "https://epic.example/r4", authUrl: "https://epic.example/authorize", scopes: "epic/*.read" });
    const cerner = { ...epic, ...presetValues(epic, "cerner", presets) };
    expect(cerner).toMatchObject({ baseUrl: "", tokenUrl: "https://cerner.example/token", scopes: "cerner/*.read" });
    expect(presetValues(cerner, "custom", presets)).toMatchObject({ authUrl: "", tokenUrl: "", scopes: defaultFhirScopes });
  });

  test("keeps typed values", () => {
    const typed = { ...emptyValues, authUrl: "https://own.example/authorize" };
    expect(presetValues(typed, "epic", presets)).not.toHaveProperty("authUrl");
    expect(presetValues(typed, "epic", [])).not.toHaveProperty("authUrl");
  });
});
