import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { mutations } from "../alone/mutants.ts";

test.each(mutations)("the line that a mutation test changes stands once in $file: $from", ({ file, from }) => {
  expect(readFileSync(file, "utf8").split(from)).toHaveLength(2);
});
