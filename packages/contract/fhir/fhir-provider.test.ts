import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { NewFhirProvider } from "./fhir-provider.ts";

const form = (more: object = {}) => ({
  name: "Main",
  baseUrl: "https://ehr.example/r4",
  clientId: "c",
  scopes: "system/Patient.rs",
  ...more,
});
const told = (more: object): Record<string, string> => {
  const { error } = z.safeParse(NewFhirProvider, form(more));
  return Object.fromEntries(error?.issues.map(({ path, message }) => [path.join("."), message]) ?? []);
};

describe("NewFhirProvider", () => {
  it.each([
    "ehr.example",
    "https://",
    "https://ehr .example",
    "https://ehr.example/\u0000",
    "https://ehr.ex\nample/r4",
    "https://ehr\u200b.example",
  ])("refuses %j as a URL", (address) => {
    for (const field of ["baseUrl", "authUrl", "tokenUrl", "redirectUri"])
      expect(told({ [field]: address })).toEqual({ [field]: "Must be a valid URL" });
  });

  it("accepts placeholders, and treats blank optional fields as absent", () => {
    expect(told({ tokenUrl: "https://ehr.example/{tenant}/token" })).toEqual({});
    const blank = { redirectUri: "", authUrl: null, tokenUrl: null, certificateData: "", privateKey: null, description: "" };
    const { clientSecret: _, ...parsed } = z.parse(NewFhirProvider, form(blank));
    for (const field of Object.keys(blank)) expect(parsed[field as keyof typeof parsed]).toBeUndefined();
  });

  it("distinguishes an empty client secret from an absent one", () => {
    expect([z.parse(NewFhirProvider, form({ clientSecret: "" })).clientSecret, z.parse(NewFhirProvider, form()).clientSecret]).toEqual([
      "",
      undefined,
    ]);
  });

  it("refuses keys and certificates that are not plain text, and unknown fields", () => {
    expect(told({ privateKey: "\u0007" })).toHaveProperty("privateKey");
    expect(told({ certificateData: "é" })).toHaveProperty("certificateData");
    expect(told({ privateKey: "x".repeat(20_001) })).toEqual({ privateKey: "Must be at most 20000 characters" });
    expect(told({ hasClientSecret: true })).not.toEqual({});
  });
});
