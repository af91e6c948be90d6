import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { openJsonFile, readJsonFiles, writeAtomically } from "../json-file.ts";
import type { ConfigurationSets } from "../sns/configuration-sets.ts";
import type { TextFate } from "./text-fate.ts";

/** One text message as its receiver would see it. */
export type StoredText = { id: string; at: string; from: string; to: string; text: string; fate?: TextFate };

/** Every text that was sent, oldest first, and the numbers that want none; files readable by their owner alone. Without a folder: in memory only. */
export function openTextStore(folder: string | undefined) {
  const texts = folder === undefined ? [] : readJsonFiles<StoredText>(join(folder, "sent"));
  const sets: ConfigurationSets = new Map();
  const optedOut = openJsonFile<Record<string, string>>(folder && join(folder, "opted-out.json"), {});
  return {
    texts,
    /** Number → since when, by list: "Default/+16175550142". */
    optedOut,
    sets,
    /** Forgets what was sent and declared, in memory. */
    reset() {
      texts.length = 0;
      sets.clear();
      for (const number of Object.keys(optedOut.value)) delete optedOut.value[number];
    },
    /** Flushed to disk before it is told of: what was answered to is not lost. */
    add(text: Omit<StoredText, "id" | "at">): StoredText {
      const stored = { id: randomUUID(), at: new Date().toISOString(), ...text };
      if (folder !== undefined)
        writeAtomically(join(folder, "sent", `${stored.at.replaceAll(":", "")}-${stored.id}.json`), JSON.stringify(stored));
      texts.push(stored);
      return stored;
    },
  };
}

export type TextStore = ReturnType<typeof openTextStore>;
