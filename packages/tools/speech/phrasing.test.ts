import { describe, expect, it } from "vitest";
import { phrasingIn } from "../test/sentences.fixture.ts";

const [english, spanish] = [phrasingIn("en"), phrasingIn("es")];

describe("a phrasing", () => {
  it("says today and tomorrow, and other days by their date, of the clinic's time zone", () => {
    const starts = ["2026-11-25T18:30:00Z", "2026-11-27T04:30:00Z", "2026-12-01T14:30:00Z"];
    expect(starts.map((start) => english.time(start))).toEqual([
      "today at 1:30 PM",
      "tomorrow at 11:30 PM",
      "Tuesday, December 1 at 9:30 AM",
    ]);
    expect(starts.map((start) => spanish.time(start))).toEqual([
      "hoy a la 1:30 de la tarde",
      "mañana a las 11:30 de la noche",
      "el martes 1 de diciembre a las 9:30 de la mañana",
    ]);
    expect(starts.map((start) => english.onTime(start).split(" ")[0])).toEqual(["today", "tomorrow", "on"]);
    expect(english.time("2026-11-26T06:30:00Z", "America/Los_Angeles")).toBe("today at 10:30 PM");
    expect([english.day("2026-11-26"), spanish.day("2026-11-28")]).toEqual(["tomorrow", "el sábado 28 de noviembre"]);
    expect([english.weekdays("2026-11-28"), spanish.weekdays("2026-11-28"), spanish.weekdays("2026-11-27")]).toEqual([
      "Saturdays",
      "los sábados",
      "los viernes",
    ]);
  });

  it("says the hours of a day as people do", () => {
    expect([0, 90, 9 * 60, 12 * 60, 12 * 60 + 30, 13 * 60, 19 * 60 + 5].map(spanish.clock)).toEqual([
      "las 12 de la madrugada",
      "la 1:30 de la madrugada",
      "las 9 de la mañana",
      "las 12 del mediodía",
      "las 12:30 de la tarde",
      "la 1 de la tarde",
      "las 7:05 de la noche",
    ]);
    expect([0, 9 * 60, 12 * 60].map(english.clock)).toEqual(["12:00 AM", "9:00 AM", "noon"]);
  });

  it("says a day as exactly as the record has it", () => {
    const recorded = ["2026-10-03", "2026-10", "2026"];
    expect(recorded.map(english.when)).toEqual(["on October 3, 2026", "in October 2026", "in 2026"]);
    expect(recorded.map(spanish.when)).toEqual(["el 3 de octubre de 2026", "en octubre de 2026", "en 2026"]);
  });

  it("of a list names a few and counts the rest", () => {
    const { list } = english;
    expect([list([]), list(["a"]), list(["a", "b"])]).toEqual(["", "a", "a and b"]);
    expect(list(["a", "b", "c"])).toBe("a, b and c");
    expect(list(["a", "b", "c", "d", "e"])).toBe("a, b, c and 2 more");
    expect(list(["a, with b", "c", "d"])).toBe("a, with b; c; and d");
    expect(list(["a", "b"], { most: 1, more: 4 })).toBe("a and 5 more");
    expect([spanish.list(["a", "b"]), spanish.list(["a", "inglés"]), spanish.list(["a", "hierro"])]).toEqual([
      "a y b",
      "a e inglés",
      "a y hierro",
    ]);
    expect([spanish.list(["7", "8"], { word: "or" }), spanish.list(["a", "b"], { word: "or" })]).toEqual(["7 u 8", "a o b"]);
    expect(spanish.list(["a", "b"], { most: 1, more: 4 })).toBe("a y 5 más");
  });

  it("says a doctor's title in full, and in Spanish only where it is known whether it is a woman", () => {
    const names = ["Dr. Amara Larkmere", "Dr Larkmere", "Dra. Sol Ruiz", "Pat Roe"];
    expect(names.map((name) => english.name(name))).toEqual(["Doctor Amara Larkmere", "Doctor Larkmere", "Doctor Sol Ruiz", "Pat Roe"]);
    expect(names.map((name) => spanish.name(name))).toEqual(["Amara Larkmere", "Dr. Larkmere", "la doctora Sol Ruiz", "Pat Roe"]);
    expect(names.map((name) => spanish.name(name, "female"))).toEqual([
      "la doctora Amara Larkmere",
      "la doctora Larkmere",
      "la doctora Sol Ruiz",
      "Pat Roe",
    ]);
    expect(spanish.say({ en: "", es: `de ${spanish.name("Dr. Bela Dunstead", "male")}` })).toBe("del doctor Bela Dunstead");
  });

  it("in Spanish contracts articles, but not those of a name", () => {
    const text = (es: string): string => spanish.say({ en: "", es });
    expect([text("Su cita de el martes"), text("Le pasé eso a el doctor"), text("en lugar de El Paso")]).toEqual([
      "Su cita del martes",
      "Le pasé eso al doctor",
      "en lugar de El Paso",
    ]);
  });

  it("offers the office only while someone there can take the call", () => {
    const offers = (["reachable", "unstaffed", "closed", "unknown"] as const).map((office) => phrasingIn("en", office));
    expect(offers.map(({ offerOffice: office }) => /connect you/.test(office))).toEqual([true, false, false, false]);
    expect(offers.map(({ handOverSentence }) => /connect you/.test(handOverSentence))).toEqual([true, false, false, false]);
  });
});
