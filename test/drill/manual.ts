import { readFileSync } from "node:fs";
import path from "node:path";

type Step = { number: number; title: string; commands: string[] };

/** A procedure of the manual, whose commands are taken from its page. */
export type Procedure = {
  titleOf(step: number): string;
  /** The step's command that begins so, with values in place of the words in capitals. */
  command(step: number, beginning: string, values: Record<string, string>): string;
  /** Commands of the page that were not asked for. */
  untried(): string[];
};

const project = path.resolve(import.meta.dirname, "../..");

export function readProcedure(page: string, heading: string): Procedure {
  const steps = stepsOf(readFileSync(path.join(project, page), "utf8"), heading);
  const tried = new Set<string>();
  const step = (number: number): Step => {
    const found = steps.find((one) => one.number === number);
    if (!found) throw new Error(`${page} has no step ${number} under ${heading}.`);
    return found;
  };
  return {
    titleOf: (number) => step(number).title,
    command(number, beginning, values) {
      const found = step(number).commands.find((command) => command.startsWith(beginning));
      if (found === undefined) throw new Error(`Step ${number} of ${page}, ${heading}, has no command ${beginning}.`);
      tried.add(found);
      return found.replaceAll(/\b[A-Z_]{4,}\b/g, (word) => values[word] ?? word);
    },
    untried: () => steps.flatMap(({ commands }) => commands).filter((command) => !tried.has(command)),
  };
}

function stepsOf(text: string, heading: string): Step[] {
  const [section = ""] = text.split(`\n## ${heading}\n`)[1]?.split("\n## ") ?? [];
  return section
    .split(/^(?=\d+\. )/m)
    .slice(1)
    .map((step) => ({
      number: Number.parseInt(step, 10),
      title: /^\d+\. ([^.:,;]+)/.exec(step)?.[1] ?? "",
      commands: codeIn(step).filter((code) => /^(aws|npm run) /.test(code)),
    }));
}

const codeIn = (text: string): string[] => [...text.matchAll(/`([^`\n]+)`|^ {8}(\S.*)$/gm)].map(([, inline, line]) => inline ?? line ?? "");
