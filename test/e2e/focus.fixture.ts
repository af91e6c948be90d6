export * from "../kit/site.ts";
