import { describe, expect, it } from "vitest";
import { matchesName, searchWord } from "./match-names.ts";
import { matchesPlace, readPlace } from "./read-place.ts";
import { matchesSpecialty } from "./specialties.ts";

describe("a provider's name", () => {
  it("is found by any part of it, with or without a title, also when it was heard in two words", () => {
    for (const said of ["Dr. Larkmere", "doctor amara larkmere", "Larkmere", "Amara", "lark mere", "Dr Larkmere MD", "LARK"])
      expect(matchesName("Dr. Amara Larkmere", said), said).toBe(true);
    for (const said of ["Dr. Dunstead", "Dr.", "", "Amara Dunstead", "mere"])
      expect(matchesName("Dr. Amara Larkmere", said), said).toBe(said === "mere");
    expect(matchesName("Siobhán O'Brien", "doctor obrien")).toBe(true);
  });

  it("is asked for by how its first word begins, as it is written", () => {
    expect(["Dr. Larkmere", "doctor amara larkmere", "O'Brien", "Li", "Dr.", "  ", "Ángela"].map(searchWord)).toEqual([
      "Lar",
      "ama",
      "O",
      "Li",
      "",
      "",
      "Áng",
    ]);
  });
});

describe("a place", () => {
  it("is meant by any of its words", () => {
    for (const said of ["north clinic", "Mockford", "the Mockford North Clinic", "north"])
      expect(matchesPlace(["Mockford North Clinic"], said), said).toBe(true);
    for (const said of ["main", "Sampleton north"]) expect(matchesPlace(["Mockford North Clinic"], said), said).toBe(false);
  });

  it("is meant as callers say it in English and Spanish, by its name or its town, and is none where any will do", () => {
    for (const said of [
      "the one at Hillside please",
      "Hill side",
      "I'd rather go to Mockford",
      "la de Hillside",
      "en la clínica de Mockford",
    ])
      expect(matchesPlace(["Hillside Clinic", "Mockford"], said), said).toBe(true);
    for (const said of ["the one in Sampleton", "la del sur"]) expect(matchesPlace(["Hillside North", "Mockford"], said), said).toBe(false);
    expect(matchesPlace(["Hillside North"], "la del norte")).toBe(true);
    for (const said of [
      "anywhere",
      "either location is fine",
      "doesn't matter",
      "the closest one",
      "donde sea",
      "cualquier clínica",
      "the clinic",
    ])
      expect(readPlace(said), said).toBeUndefined();
  });
});

describe("a specialty", () => {
  it("is meant by its name, by the doctor's, and by what people call it", () => {
    for (const [recorded, ...all] of [
      ["Cardiology", "cardiology", "cardiologist", "heart doctor", "Heart specialist", "a cardiac doctor"],
      ["General practice", "general practice", "family doctor", "primary care", "GP", "general practitioner", "regular doctor"],
      ["Pediatrics", "pediatrician", "pediatrics", "kids doctor", "children's doctor", "paediatrician"],
      ["Dermatology", "skin doctor", "dermatologist"],
      ["Gynecology", "gynecologist", "ob-gyn", "women's health"],
      ["Orthopedics", "orthopedist", "bone doctor", "orthopedic", "knee specialist"],
      ["Family medicine", "family doctor", "primary care physician"],
    ] as const)
      for (const said of all) expect(matchesSpecialty(recorded, said), `${recorded}: ${said}`).toBe(true);
    for (const said of ["heart doctor", "cardiologist", "family doctor", "dentist", "astrologer"])
      expect(matchesSpecialty("Dermatology", said), said).toBe(false);
  });
});
