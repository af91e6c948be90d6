import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonObjects } from "../../../test/kit/json-values.ts";
import { readBatch, writeBatch } from "./batch.ts";
import { canonicalJson, chainHash, chainStart } from "./chain.ts";

/** JSON has no negative zero. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test("a row has one canonical text, regardless of the order of its fields and of absent ones", () => {
  fc.assert(
    fc.property(jsonObjects, fc.integer(), (one, seed) => {
      const names = Object.keys(one);
      const turned = names.map((_, at) => names[(at + (seed >>> 0)) % names.length] ?? "");
      const other: Record<string, unknown> = { ...Object.fromEntries(turned.map((name) => [name, one[name]])) };
      if (!("absent" in one)) other["absent"] = undefined;
      expect(canonicalJson(other)).toBe(canonicalJson(one));
      expect(JSON.parse(canonicalJson(one))).toEqual(plain(one));
    }),
  );
});

test("names of fields are escaped like JSON's", () => {
  const text = String.raw`{"":1,"\n":2,"\"":3,"\\":4}`;
  expect(canonicalJson({ "\\": 4, '"': 3, "\n": 2, "": 1 })).toBe(text);
});

test("two rows have the same text only if they are equal", () => {
  fc.assert(
    fc.property(jsonObjects, jsonObjects, (one, other) => {
      const same = canonicalJson(one) === canonicalJson(other);
      expect(same).toBe(JSON.stringify(sorted(plain(one))) === JSON.stringify(sorted(plain(other))));
    }),
  );
});
const sorted = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(sorted)
    : typeof value === "object" && value !== null
      ? Object.entries(value)
          .toSorted(([a], [b]) => (a < b ? -1 : 1))
          .map(([name, inner]) => [name, sorted(inner)])
      : value;

test("values that JSON does not support are rejected", () => {
  for (const odd of [NaN, Infinity, new Date(), new Set(["a"]), 1n, () => 1])
    expect(() => canonicalJson({ odd })).toThrow("Not a value of JSON");
});

test("a chain's last hash depends on every row, on their order and on the tenant", () => {
  const last = (before: string, list: readonly Record<string, unknown>[]): string =>
    list.reduce((hash: string, each) => chainHash(hash, canonicalJson(each)), before);
  fc.assert(
    fc.property(fc.uniqueArray(jsonObjects, { minLength: 2, maxLength: 6, selector: canonicalJson }), fc.nat(), (list, at) => {
      const whole = last(chainStart("tenant"), list);
      const index = at % list.length;
      expect(last(chainStart("other"), list)).not.toBe(whole);
      expect(last(chainStart("tenant"), list.toSpliced(index, 1))).not.toBe(whole);
      expect(last(chainStart("tenant"), list.with(index, { ...list[index], changed: 1.5 }))).not.toBe(whole);
      expect(last(chainStart("tenant"), list.toReversed())).not.toBe(whole);
    }),
  );
});

test("a batch with any rows is read as it was written", () => {
  const audited = jsonObjects.map((each) => ({ ...each, id: "01", at: "2026-01-01", expiresAt: 1 }));
  fc.assert(
    fc.property(fc.array(audited, { minLength: 1, maxLength: 5 }), (list) => {
      const { lines, hash } = writeBatch(7, chainStart(undefined), list);
      const read = readBatch(lines);
      expect(read.head).toEqual({ batch: 7, before: chainStart(undefined), rows: list.length });
      expect(read.lines.map(({ text }) => JSON.parse(text) as unknown)).toEqual(list.map(plain));
      expect(read.lines.at(-1)?.hash).toBe(hash);
    }),
  );
});
