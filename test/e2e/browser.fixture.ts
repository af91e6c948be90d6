export * from "../kit/browser.ts";
