import { describe, expect, it, vi } from "vitest";
import { errorFields, log } from "./log.ts";

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
