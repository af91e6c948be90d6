import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonValues } from "../../test/kit/json-values.ts";
import { readJson, readText } from "./fetch.ts";

const json = (text: string, type?: string) => readJson(Buffer.from(text), type);
const nested = (depth: number, [open, close] = ["[", "]"]) => open.repeat(depth) + close.repeat(depth);

describe("a response body", () => {
  it("is parsed as JSON of reasonable depth", () => {
    fc.assert(
      fc.property(jsonValues, (value) => {
        const text = JSON.stringify(value);
        expect(json(text)).toEqual(JSON.parse(text));
      }),
    );
    expect(json(`\uFEFF{"a":1}`)).toEqual({ a: 1 });
  });

  it("is refused when nested too deep, and brackets within strings do not count", () => {
    expect(json(nested(100))).toBeDefined();
    for (const depth of [101, 10_000, 1_000_000]) expect(() => json(nested(depth))).toThrow(SyntaxError);
    expect(() => json('{"a":'.repeat(10_000))).toThrow(SyntaxError);
    const texts = JSON.stringify({ a: nested(10_000), 'b"[[': '\\"[{', "c\\": nested(500) });
    expect(json(texts)).toEqual(JSON.parse(texts));
    expect(() => json('"'.padEnd(1000, "["))).toThrow(SyntaxError);
  });

  it("is decoded in its declared charset: UTF-8 or Latin-1 only", () => {
    const latin = Buffer.from('{"family":"Müller"}', "latin1");
    expect(readJson(latin, "application/fhir+json; charset=ISO-8859-1")).toEqual({ family: "Müller" });
    expect(readText(latin, "text/plain;charset=latin1")).toContain("Müller");
    expect(json('{"family":"Müller"}', 'application/json; Charset="UTF-8"')).toEqual({ family: "Müller" });
    expect(() => readJson(latin, "application/fhir+json")).toThrow(SyntaxError);
    for (const charset of ["utf-16", "shift_jis", "constructor", "windows-1251"]) {
      expect(() => json("{}", `application/json; charset=${charset}`), charset).toThrow(SyntaxError);
    }
  });
});
