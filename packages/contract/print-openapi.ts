import { writeFileSync } from "node:fs";
import { openApi } from "./openapi.ts";

const file = new URL("openapi.json", import.meta.url);
writeFileSync(file, `${JSON.stringify(openApi(), null, 2)}\n`);
process.stdout.write("packages/contract/openapi.json is up to date with the route table.\n");
