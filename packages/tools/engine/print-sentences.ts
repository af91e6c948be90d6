import { catalogue, type CatalogueEntry } from "./catalogue.ts";

const asText = ({ situation, en, es }: CatalogueEntry): string => `${situation}\n  ${en}\n  ${es}\n`;

const cell = (text: string): string => text.replaceAll("|", "\\|");
const asRow = ({ situation, en, es }: CatalogueEntry): string => `| ${[situation, en, es].map(cell).join(" | ")} |`;

const asMarkdown = process.argv.includes("--md");

const headOf = (group: string): string =>
  asMarkdown ? `## ${group}\n\n| Situation | English | Spanish |\n|---|---|---|` : `${group}\n${"=".repeat(group.length)}\n`;

for (const [group, entries] of Map.groupBy(await catalogue(), (entry) => entry.group))
  process.stdout.write(`${headOf(group)}\n${entries.map(asMarkdown ? asRow : asText).join("\n")}\n\n`);
