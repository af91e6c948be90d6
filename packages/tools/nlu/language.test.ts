import { expect, it } from "vitest";
import { readLanguage } from "./language.ts";

it("a language is read from codes and names as platforms, models and record systems write them", () => {
  for (const text of ["es", "es-MX", "es_419", "ES", " Spanish ", "Español (México)", "español", "spa", "Spanish; Castilian"])
    expect([text, readLanguage(text)]).toEqual([text, "es"]);
  for (const text of ["en", "en-US", "eng", "English", "inglés"]) expect([text, readLanguage(text)]).toEqual([text, "en"]);
});

it("a language that we do not speak, several and none are no language", () => {
  for (const text of ["vi", "multi", "est", "enm", "", "constructor", "{{language}}", null, undefined, 7, ["es"]])
    expect([text, readLanguage(text)]).toEqual([text, undefined]);
});
