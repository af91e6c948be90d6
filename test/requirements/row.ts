import { readFileSync } from "node:fs";
import path from "node:path";

/** One checkable fact of what the owner asked for; `proof` says where it shows: at the HTTP API or on a screen. */
export type Row = { id: string; area: string; requirement: string; kind: string; proof: "api" | "ui" };

const file = path.resolve(import.meta.dirname, "../requirements.tsv");

/** Every row of test/requirements.tsv, in its order. */
export const rows: Row[] = readFileSync(file, "utf8")
  .split("\n")
  .slice(1)
  .filter((line) => line !== "")
  .map((line) => {
    const [id = "", area = "", , , requirement = "", kind = "", proof] = line.split("\t");
    return { id, area, requirement, kind, proof: proof === "api" ? "api" : "ui" };
  });

/** The texts that a row quotes: they must be met to the letter. An apostrophe within a word quotes nothing. */
export const quotedIn = ({ requirement }: Row): string[] =>
  [...requirement.matchAll(/(?<!\w)'([^']+)'(?!\w)/g)].map(([, text = ""]) => text);
