export * from "../kit/axe.ts";
