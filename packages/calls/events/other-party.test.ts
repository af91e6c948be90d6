import { holdSecret } from "@vitaline/core";
import { expect, test } from "vitest";
import { numberHashes, otherPartyOf } from "./other-party.ts";

holdSecret("hashes", ["now", "before"]);
const partyOf = (callerNumber: string) => otherPartyOf("one", { callerNumber });

test("a number has one hash however it is written, another for another tenant, and shows four digits", () => {
  const [hash] = numberHashes("one", "(617) 555-0101");
  for (const written of ["+16175550101", "16175550101", "617-555-0101", "sip:+16175550101@10.1.2.3", "tel:+1-617-555-0101;ext=5"])
    expect(partyOf(written)).toEqual({ numberHash: hash, numberEnding: "0101" });
  expect(partyOf("+4420755501")?.numberHash).not.toBe(partyOf("+14420755501")?.numberHash);
  expect(numberHashes("two", "+16175550101")).not.toContain(hash);
  expect(hash).not.toContain("6175550101");
});

test("is the one that is not the clinic's, and none where the platform sent no number", () => {
  const numbers = { callerNumber: "+16175550101", calledNumber: "+16175550145" };
  expect(otherPartyOf("one", { ...numbers, direction: "inbound" })?.numberEnding).toBe("0101");
  expect(otherPartyOf("one", { ...numbers, direction: "outbound" })?.numberEnding).toBe("0145");
  for (const none of ["anonymous", "", "sip:unknown@10.1.2.3", "911"]) expect(partyOf(none)).toBeUndefined();
});

test("is found under the former secret too, as long as that is accepted", () => {
  holdSecret("hashes", ["before"]);
  const stored = partyOf("+16175550101")?.numberHash;
  holdSecret("hashes", ["now", "before"]);
  expect(numberHashes("one", "6175550101")).toEqual([expect.not.stringMatching(String(stored)), stored]);
});
