import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { apiReference } from "./api-reference.ts";
import { openApi } from "./openapi.ts";

/** `npm run openapi [-- file]`: without a file also the documentation's extract, api-reference.json. */
const [file] = process.argv.slice(2);
const beside = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const write = (target: string, value: unknown): void => {
  writeFileSync(target, `${JSON.stringify(value, null, 2)}\n`);
  process.stdout.write(`Wrote ${target} from the route table.\n`);
};
write(file ?? beside("openapi.json"), openApi());
if (file === undefined) write(beside("api-reference.json"), apiReference());
