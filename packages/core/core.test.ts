import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { allDone, digest, errorFields, idFloor, log, newId } from "./index.ts";

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
        expect(digest("x", ...a)).not.toBe(digest("x", ...b));
      }),
    );
  });
});

describe("allDone", () => {
  const after = <T>(ms: number, end: () => T): Promise<T> => new Promise((resolve) => setTimeout(resolve, ms)).then(end);

  it("waits for every promise, also after one has failed", async () => {
    const ended: string[] = [];
    const fail = (name: string) => (): never => {
      ended.push(name);
      throw new Error(name);
    };
    await expect(allDone([after(20, () => ended.push("last")), after(5, fail("later")), fail0()])).rejects.toThrow("later");
    expect(ended).toEqual(["at once", "later", "last"]);
    async function fail0(): Promise<void> {
      fail("at once")();
    }
  });

  it("returns results in order", async () => {
    expect(await allDone([after(5, () => 1), "two", undefined])).toEqual([1, "two", undefined]);
    expect(await allDone([])).toEqual([]);
  });
});

describe("log", () => {
  it("removes text that is not an id or a code", () => {
    const written: string[] = [];
    const spy = vi.spyOn(process.stdout, "write").mockImplementation((chunk) => (written.push(String(chunk)), true));
    log("info", "call.ended", { tenantId: "01abc", code: "Zoë Müller, born 1980" });
    spy.mockRestore();
    expect(written.join("")).toContain("01abc");
    expect(written.join("")).not.toContain("1980");
  });

  it("logs an error by its name and code, not its message", () => {
    expect(errorFields(Object.assign(new TypeError("Ada Lovelace"), { code: "X1" }))).toEqual({ errorName: "TypeError", code: "X1" });
  });
});
