import { HealthStatus } from "@vitaline/contract";
import { expect, test } from "vitest";
import { healthLook } from "./health-look.ts";

test("each status has its colour and its word", () => {
  const lookOf = (status: string) => Object.values(healthLook(status)).join(" ");
  expect(["healthy", "operational"].map(lookOf)).toEqual(["Healthy green", "Healthy green"]);
  expect(lookOf("warning")).toBe("Warning yellow");
  expect(["error", "down"].map(lookOf)).toEqual(["Down red", "Down red"]);
  expect(["unknown", "", "Healthy", "toString"].map(lookOf)).toEqual(Array.from({ length: 4 }, () => "Unknown gray"));
});

test("of what the platform says, only unknown is unknown", () => {
  expect(HealthStatus.options.filter((status) => healthLook(status).label === "Unknown")).toEqual(["unknown"]);
});
