import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { openApi } from "./openapi.ts";

/** `npm run openapi [-- file]` */
const [file = fileURLToPath(new URL("openapi.json", import.meta.url))] = process.argv.slice(2);
writeFileSync(file, `${JSON.stringify(openApi(), null, 2)}\n`);
process.stdout.write(`Wrote ${file} from the route table.\n`);
