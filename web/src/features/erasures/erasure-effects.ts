import type { ErasureKind } from "@vitaline/contract";

const goes: Record<ErasureKind, readonly string[]> = {
  call: [
    "The call: when it was, how it ended and what was said",
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
    "Its voice and record system connections, and its settings",
  ],
};

const stays = [
  "The audit log: it holds ids and what was done, and no content",
  "Opt-outs: who asked not to get messages",
  "The record system: nothing in it is changed",
];

/** What an erasure destroys, and what it leaves. */
export const effectsOf = (kind: ErasureKind): { goes: readonly string[]; stays: readonly string[] } => ({ goes: goes[kind], stays });
