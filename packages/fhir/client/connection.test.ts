import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { idInLocation, pageUrl, resourceUrl } from "./connection.ts";

const base = "https://ehr.example/api/FHIR/R4";
const addressOf = (make: () => string): URL | undefined => {
  try {
    return new URL(make());
  } catch {
    return undefined;
  }
};

describe("URLs", () => {
  it("of a resource never leave its type, for any id", () => {
    const segment = fc.oneof(
      fc.string(),
      fc.constantFrom("..", ".", "../Slot/1", "a/b", "1?x=y", "1#x", "%2e%2e", "1\\..", "@evil.example"),
    );
    fc.assert(
      fc.property(segment, (id) => {
        const address = addressOf(() => resourceUrl(base, "Patient", id));
        const below = `${base}/Patient/${id}`;
        expect(address?.href ?? below).toBe(below);
      }),
    );
  });

  it("of a page never leave the base URL", () => {
    const link = fc.oneof(
      fc.webUrl(),
      fc.string(),
      fc.constantFrom(
        "..",
        "../..",
        "//x",
        "https:x",
        "https://ehr.example@evil.example/api/FHIR/R4/",
        "https://ehr.example:444/api/FHIR/R4/",
        "http://ehr.example/api/FHIR/R4/x",
        "\\\\evil.example",
        "?_page=2",
        "Patient?x=1",
      ),
    );
    fc.assert(
      fc.property(link, (text) => {
        const address = addressOf(() => pageUrl(base, text));
        expect([address?.origin ?? "https://ehr.example", address?.pathname.startsWith("/api/FHIR/R4") ?? true]).toEqual([
          "https://ehr.example",
          true,
        ]);
      }),
    );
    expect(pageUrl(base, "?_page=2")).toBe(`${base}/?_page=2`);
    expect(pageUrl(base, `${base}?_getpages=1`)).toBe(`${base}?_getpages=1`);
  });

  it("in a Location give the id of the wanted type only", () => {
    expect(["https://a/b/Patient/1", "Patient/1/_history/2", "/x/Patient/1"].map((location) => idInLocation(location, "Patient"))).toEqual([
      "1",
      "1",
      "1",
    ]);
    expect(
      ["https://a/b/Slot/1", "", undefined, "Patient/", "Patient/..", "Patient/1/extra"].map((location) =>
        idInLocation(location, "Patient"),
      ),
    ).toEqual(Array(6).fill(undefined));
  });
});
