import type { ErasureKind } from "@vitaline/contract";

const goes: Record<ErasureKind, readonly string[]> = {
  call: [
    "What was said in the call, who called, and how it ended",
    "What the agent did during it",
    "Leads, tasks and messages that came from it",
  ],
  patient: [
    "The patient's calls, and what was said in them",
    "What agents did for the patient",
    "Leads, tasks and messages about the patient",
  ],
  tenant: [
    "All calls, and what was said in them",
    "All leads, tasks and messages",
    "Its people's accounts, offices and keys",
    "Its voice and record system connections, settings, totals and opt-outs",
  ],
};

const always = [
  "The audit log: it holds ids and what was done, and no content",
  "The record system: nothing in it is changed",
  "Short-lived technical records, which end by themselves within 30 days",
];
const ofActive = ["When calls were and how long they took, for totals and bills", "Opt-outs: who asked not to get messages"];

/** What an erasure destroys, and what it leaves. */
export const effectsOf = (kind: ErasureKind): { goes: readonly string[]; stays: readonly string[] } => ({
  goes: goes[kind],
  stays: kind === "tenant" ? always : [...always, ...ofActive],
});
