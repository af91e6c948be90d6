import { globSync, readFileSync } from "node:fs";
import path from "node:path";

/** A page of the manual. */
export type Page = { file: string; text: string };

const notSources = ["**/node_modules/**", "**/build/**", "**/dist/**", "**/cdk.out/**", "**/.local/**", "**/.git/**"];

/** All files of the repository, generated ones left out. */
export const files: readonly string[] = globSync(["**/*", ".*", ".ci/*"], { exclude: notSources }).map((file) =>
  file.replaceAll(path.sep, "/"),
);

export const pages: readonly Page[] = files
  .filter((file) => file.endsWith(".md"))
  .map((file) => ({ file, text: readFileSync(file, "utf8") }));

/** Each text in backticks, and each indented or fenced line of code. */
export const codeIn = ({ text }: Page): string[] => {
  const withoutDiagrams = text.replaceAll(/```mermaid[^]*?```/g, "");
  const inline = [...withoutDiagrams.matchAll(/`([^`\n]+)`/g)].map(([, code = ""]) => code);
  const lines = [...withoutDiagrams.matchAll(/^ {4}(\S.*)$/gm)].map(([, code = ""]) => code);
  return [...inline, ...lines];
};

/** "a/{b,c}.ts" → "a/b.ts", "a/c.ts" */
export const expandBraces = (text: string): string[] => {
  const [, before, choices, after] = /^([^{]*)\{([^{}]*,[^{}]*)\}(.*)$/.exec(text) ?? [];
  if (choices === undefined) return [text];
  return choices.split(",").flatMap((choice) => expandBraces(`${before}${choice}${after}`));
};

/** GitHub's anchors of a page's headings. */
export const anchorsOf = ({ text }: Page): string[] =>
  [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .trim()
      .replaceAll(" ", "-"),
  );
