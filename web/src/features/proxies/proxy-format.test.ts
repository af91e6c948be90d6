import { expect, test } from "vitest";
import { proxyStatus } from "./proxy-format.tsx";

test("a proxy may call through the last day, unless on hold", () => {
  const statusOn = (today: string, onHold = false) => proxyStatus({ onHold, validUntil: "2026-11-25" }, today).name;
  expect([statusOn("2026-11-24"), statusOn("2026-11-25"), statusOn("2026-11-26")]).toEqual(["May call", "May call", "Expired"]);
  expect([statusOn("2026-11-25", true), statusOn("2026-11-26", true)]).toEqual(["On hold", "Expired"]);
});
