import { catalogue, type CatalogueEntry } from "./catalogue.ts";

const asText = ({ situation, en, es }: CatalogueEntry): string => `${situation}\n  ${en}\n  ${es}\n`;

const cell = (text: string): string => text.replaceAll("|", "\\|");
const asRow = ({ situation, en, es }: CatalogueEntry): string => `| ${[situation, en, es].map(cell).join(" | ")} |`;

const asMarkdown = process.argv.includes("--md");

for (const [group, entries] of Map.groupBy(catalogue(), (entry) => entry.group)) {
  console.log(asMarkdown ? `## ${group}\n` : `${group}\n${"=".repeat(group.length)}\n`);
  if (asMarkdown) console.log("| Situation | English | Spanish |\n|---|---|---|");
  console.log(`${entries.map(asMarkdown ? asRow : asText).join("\n")}\n`);
}
