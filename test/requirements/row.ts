import { readFileSync } from "node:fs";
import path from "node:path";

export type Row = { id: string; area: string; requirement: string; kind: string; proof: "api" | "ui" };

const file = path.resolve(import.meta.dirname, "../requirements.tsv");

export const rows: Row[] = readFileSync(file, "utf8")
  .split("\n")
  .slice(1)
  .filter((line) => line !== "")
  .map((line) => {
    const [id = "", area = "", , , requirement = "", kind = "", proof] = line.split("\t");
    return { id, area, requirement, kind, proof: proof === "api" ? "api" : "ui" };
  });

/** Quoted texts must match exactly. An apostrophe within a word is not a quotation mark. */
export const quotedIn = ({ requirement }: Row): string[] =>
  [...requirement.matchAll(/(?<!\w)'([^']+)'(?!\w)/g)].map(([, text = ""]) => text);
