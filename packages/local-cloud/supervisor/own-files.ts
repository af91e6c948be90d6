import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { StartError } from "../start-error.ts";

/** Says that the folder is a platform's; it outlives a reset. */
const marker = ".vitaline";
const markerText = "A Vitaline platform keeps its data in this folder. npm start -- --reset throws that data away.\n";

/** All that a platform writes into its data folder. */
const ownNames = [
  "dynamodb",
  "s3",
  "ehr",
  "mail",
  "logs",
  "queues",
  "keys.json",
  "secrets.json",
  "local.json",
  "demo.json",
  "demo-state.json",
];
/** What a writer that was killed leaves beside a file of ours. */
const leftover = /^(keys|secrets|local|demo|demo-state)\.json\.(new|\d+\.tmp)$/;
/** What every folder of a platform holds that came so far as to have data, and folders of other things do not. */
const ownSigns = [path.join("dynamodb", "CURRENT"), "demo-state.json", path.join("ehr", "resources.jsonl")];

const isOwn = (name: string): boolean => ownNames.includes(name) || leftover.test(name);

/** Marks an empty folder as a platform's; throws one sentence for one that is somebody else's. */
export function claimFolder(dataDir: string): void {
  if (existsSync(path.join(dataDir, marker))) return;
  if (readdirSync(dataDir).length > 0 && !ownSigns.some((sign) => existsSync(path.join(dataDir, sign))))
    throw new StartError(
      `The data folder ${dataDir} holds files that are not a platform's, and they are left alone: name an empty or a new folder in VITALINE_DATA.`,
    );
  writeFileSync(path.join(dataDir, marker), markerText, { mode: 0o600 });
}

/** Throws away what a platform has written. What else lies in the folder stays. */
export function emptyFolder(dataDir: string): void {
  for (const name of readdirSync(dataDir).filter(isOwn)) rmSync(path.join(dataDir, name), { recursive: true, force: true });
}
