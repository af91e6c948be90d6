import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sha256In, idFloor, newId } from "./ids.ts";

describe("ids", () => {
  it("sort in creation order, also within one millisecond", () => {
    const made = Array.from({ length: 2000 }, () => newId());
    expect(made).toEqual([...made].sort());
    expect(new Set(made).size).toBe(made.length);
    expect(made[0]).toMatch(/^[0-9a-z]{26}$/);
  });

  it("have a floor that is not above any id of the same instant", () => {
    expect(idFloor(1_000_000) <= newId(1_000_000)).toBe(true);
    expect(newId(999_999) < idFloor(1_000_000)).toBe(true);
  });

  it("digests differ for every split of the same text into parts", () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.array(fc.string()), (a, b) => {
        fc.pre(JSON.stringify(a) !== JSON.stringify(b));
        expect(sha256In("x", ...a)).not.toBe(sha256In("x", ...b));
      }),
    );
  });
});
