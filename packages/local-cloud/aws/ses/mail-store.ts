import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { readJsonFiles, writeAtomically } from "../json-file.ts";
import type { ConfigurationSets } from "../sns/configuration-sets.ts";
import type { MailFate } from "./mail-fate.ts";

/** One mail as its receivers would see it. */
export type StoredMail = {
  id: string;
  at: string;
  from: string;
  to: string[];
  cc: string[];
  bcc: string[];
  replyTo: string[];
  subject: string;
  text?: string;
  html?: string;
  /** As text where it is text, else in base64. */
  attachments?: { fileName: string; contentType: string; content: string }[];
  /** What becomes of it at its first receiver, which its sender is told if it asked to be. */
  fate?: MailFate;
};

/** Every mail that was sent, oldest first; one file each, readable by its owner alone. Without a folder: in memory only. */
export function openMailStore(folder: string | undefined) {
  const mails = folder === undefined ? [] : readJsonFiles<StoredMail>(folder);
  const identities = new Set<string>();
  const sets: ConfigurationSets = new Map();
  return {
    mails,
    /** Addresses and domains that mail may be sent from; while none is declared, any. */
    identities,
    sets,
    /** Forgets what was sent and declared, in memory. */
    reset() {
      mails.length = 0;
      identities.clear();
      sets.clear();
    },
    /** Flushed to disk before it is told of: what was answered to is not lost. */
    add(mail: Omit<StoredMail, "id" | "at">): StoredMail {
      const stored = { id: randomUUID(), at: new Date().toISOString(), ...mail };
      if (folder !== undefined) writeAtomically(join(folder, `${stored.at.replaceAll(":", "")}-${stored.id}.json`), JSON.stringify(stored));
      mails.push(stored);
      return stored;
    },
  };
}

export type MailStore = ReturnType<typeof openMailStore>;
