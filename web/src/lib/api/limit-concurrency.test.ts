import { expect, test } from "vitest";
import { limitConcurrency } from "./limit-concurrency.ts";

const later = () => new Promise<void>((done) => setTimeout(done, 1));

test("so many run at once and no more, in their order, and a failure gives its place back", async () => {
  const inTurn = limitConcurrency(3);
  const begun: number[] = [];
  let [running, most] = [0, 0];
  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, (_, at) =>
      inTurn(async () => {
        begun.push(at);
        most = Math.max(most, (running += 1));
        await later();
        running -= 1;
        if (at % 4 === 0) throw new Error("refused");
        return at;
      }),
    ),
  );
  expect(most).toBe(3);
  expect(begun).toEqual(begun.toSorted((a, b) => a - b));
  expect(outcomes.filter(({ status }) => status === "rejected")).toHaveLength(5);
});
