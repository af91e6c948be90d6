import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import paths from "./paths.json" with { type: "json" };

test("the edge knows exactly the addresses that the router knows", async () => {
  const source = await readFile(new URL("./site.tsx", import.meta.url), "utf8");
  const routed = [...source.matchAll(/ path="(\/[^"]*)"/g)].map(([, path]) => path);
  expect(
    paths
      .map(({ path }) => path)
      .filter((path) => path !== "/404.html")
      .toSorted(),
  ).toEqual(routed.toSorted());
});
