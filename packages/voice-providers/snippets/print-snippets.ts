import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { publicSnippets } from "./tenant-snippets.ts";

/** `npm run snippets [-- file]` */
const documentation = new URL("../../../web/src/features/docs/content/snippets.json", import.meta.url);
const [file = fileURLToPath(documentation)] = process.argv.slice(2);
writeFileSync(file, `${JSON.stringify(await publicSnippets(), null, 2)}\n`);
process.stdout.write(`Wrote ${file} from the snippets of the voice platforms.\n`);
