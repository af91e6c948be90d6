import { describe, expect, it } from "vitest";
import { awaitAllThenThrow } from "./async.ts";

describe("allDone", () => {
  const after = <T>(ms: number, end: () => T): Promise<T> => new Promise((resolve) => setTimeout(resolve, ms)).then(end);

  it("waits for every promise, also after one has failed", async () => {
    const ended: string[] = [];
    const fail = (name: string) => (): never => {
      ended.push(name);
      throw new Error(name);
    };
    await expect(awaitAllThenThrow([after(20, () => ended.push("last")), after(5, fail("later")), fail0()])).rejects.toThrow("later");
    expect(ended).toEqual(["at once", "later", "last"]);
    async function fail0(): Promise<void> {
      fail("at once")();
    }
  });

  it("returns results in order", async () => {
    expect(await awaitAllThenThrow([after(5, () => 1), "two", undefined])).toEqual([1, "two", undefined]);
    expect(await awaitAllThenThrow([])).toEqual([]);
  });
});
