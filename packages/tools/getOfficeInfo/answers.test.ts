import type { OfficeFactsChange } from "@vitaline/contract";
import type { OfficeRow, TenantRow } from "@vitaline/store";
import { describe, expect, it } from "vitest";
import { answersTo } from "./answers.ts";
import { phrasingIn } from "../test/sentences.fixture.ts";
import { speak } from "./speak.ts";

const facts: OfficeFactsChange = {
  directions:
    "We're on the corner of Lake Avenue and Third, across from the library. From Route 9 take exit 4 and turn left at the light. The entrance is around the back, next to the pharmacy.",
  parking: "Free parking behind the building.",
  insurance: ["Aetna", "Blue Cross Blue Shield of Massachusetts", "Cigna", "Harvard Pilgrim", "MassHealth (Medicaid)", "UnitedHealthcare"],
  selfPayPrices: ["New patient visit: $180", "Follow-up visit: $95", "Flu shot: $40"],
  whatToBring: ["Your insurance card", "A photo ID"],
  languages: ["English", "Spanish"],
  holidays: [
    { date: "2026-11-26", name: "Thanksgiving" },
    { date: "2026-12-24", name: "Staff retreat" },
    { date: "2025-12-25", name: "Christmas Day" },
  ],
  questions: [
    { question: "Do you take walk-ins?", answer: "No, but we keep same-day appointments for sick children." },
    { question: "What are the hours of the lab?", answer: "The lab is open from 7 to 10 in the morning." },
  ],
};
const tenant = {
  timeZone: "America/New_York",
  contactPhone: "617 555 0100",
  contactPreferences: {
    businessHours: {
      ...{ start: "08:00", end: "17:00", timezone: "America/New_York" },
      days: { saturday: { start: "09:00", end: "12:00" }, sunday: null },
    },
  },
  facts: { afterHours: "A nurse answers at 617 555 0199." },
} as TenantRow;
const office = { id: "o", name: "Lake Avenue Office", isActive: true, address: "80 Lake Avenue, Shelbyville", facts } as OfficeRow;
/** The day before Thanksgiving, 10 AM in New York. */
const wednesday = new Date("2026-11-25T15:00:00Z");

const ask = (said: string | undefined, { at = wednesday, of = office }: { at?: Date; of?: OfficeRow } = {}) => {
  const answers = answersTo({ tenant, office: of, now: at }, said);
  const language = /[¿¡áéíóúñ]/.test(said ?? "") ? "es" : "en";
  return { answers, speech: speak({ office: null, answers }, phrasingIn(language, "reachable", at)) };
};
const says = (said: string, at?: Date) => ask(said, at ? { at } : {}).speech;

describe("hours", () => {
  it("are told as of now, in the office's zone, with the next opening when it is closed", () => {
    expect(says("What are your hours?")).toBe(
      "We're open today until 5 PM. Our hours are Monday to Friday 8 AM to 5 PM; Saturday 9 AM to noon; Sunday closed.",
    );
    expect(says("are you open now", new Date("2026-11-25T12:00:00Z"))).toBe("We're open today from 8 AM to 5 PM.");
    expect(says("are you open now", new Date("2026-11-25T23:00:00Z"))).toBe("We're closed now. We open again Friday, November 27 at 8 AM.");
    expect(says("are you open now", new Date("2026-11-29T01:00:00Z"))).toBe("We're closed now. We open again Monday, November 30 at 8 AM.");
    expect(says("are you open today", new Date("2026-11-26T15:00:00Z"))).toBe(
      "We're closed today for Thanksgiving. We open again tomorrow at 8 AM.",
    );
  });

  it("of a named day are those of that day, holidays among them", () => {
    expect(says("are you open on Saturday?")).toBe("We're open Saturday, November 28 from 9 AM to noon.");
    expect(says("are you open on Thanksgiving?")).toBe(
      "We're closed tomorrow, for Thanksgiving. After that we open Friday, November 27 at 8 AM.",
    );
    expect(says("are you closed for the staff retreat?")).toContain("We're closed Thursday, December 24, for Staff retreat.");
    // The holiday of the year before says nothing.
    expect(says("are you open on Christmas?")).toBe("We're open Friday, December 25 from 8 AM to 5 PM.");
    expect(says("¿abren mañana?")).toBe(
      "Estamos cerrados mañana, por Thanksgiving. Después abrimos el viernes 27 de noviembre a las 8 de la mañana.",
    );
  });

  it("have their breaks: until when it is open, when it opens again, and the times between breaks, in both languages", () => {
    const lunch = { start: "12:00", end: "13:00" };
    const businessHours = {
      ...{ start: "09:00", end: "17:00", timezone: "America/New_York", breaks: [lunch] },
      days: { friday: { start: "08:00", end: "16:00", breaks: [{ start: "10:00", end: "10:15" }, lunch] }, saturday: null, sunday: null },
    };
    const says = (said: string, time = "10:00") => {
      const at = new Date(`2026-11-25T${time}:00-05:00`);
      return ask(said, { at, of: { ...office, businessHours } }).speech;
    };
    expect(says("are you open now")).toBe("We're open today until noon, and again from 1 PM to 5 PM.");
    expect(says("do you close for lunch?")).toBe(says("are you open now"));
    expect(says("¿cierran para almorzar?")).toBe(says("¿están abiertos?"));
    expect(says("¿están abiertos?")).toBe("Hoy abrimos hasta el mediodía, y de nuevo de la 1 de la tarde a las 5 de la tarde.");
    expect(says("are you open now", "12:00")).toBe("We're closed for a break now. We open again today from 1 PM to 5 PM.");
    expect(says("¿están abiertos?", "12:59")).toBe(
      "Ahora estamos cerrados por un descanso. Hoy abrimos de nuevo de la 1 de la tarde a las 5 de la tarde.",
    );
    expect(says("are you open now", "13:00")).toBe("We're open today until 5 PM.");
    expect(says("are you open now", "08:00")).toBe("We're open today from 9 AM to noon and 1 PM to 5 PM.");
    expect(says("¿están abiertos?", "08:00")).toBe(
      "Abrimos hoy de las 9 de la mañana al mediodía y de la 1 de la tarde a las 5 de la tarde.",
    );
    expect(says("are you open now", "17:00")).toBe("We're closed now. We open again Friday, November 27 at 8 AM.");
    expect(says("are you open on Friday?")).toBe("We're open Friday, November 27 from 8 AM to 10 AM, 10:15 AM to noon and 1 PM to 4 PM.");
    // One sentence of all these times could not be followed.
    expect(says("¿abren el viernes?")).toBe(
      [
        "Abrimos el viernes 27 de noviembre de las 8 de la mañana a las 4 de la tarde.",
        "Cerramos de las 10 de la mañana a las 10:15 de la mañana. Cerramos del mediodía a la 1 de la tarde.",
      ].join(" "),
    );
    const [hours] = ask("hours", { of: { ...office, businessHours } }).answers;
    expect(hours).toMatchObject({
      week: [
        "Monday to Thursday 9 AM to noon and 1 PM to 5 PM",
        "Friday 8 AM to 10 AM, 10:15 AM to noon and 1 PM to 4 PM",
        "Saturday and Sunday closed",
      ],
    });
  });

  it("of an office that never opens promise no opening", () => {
    const closed = { monday: null, tuesday: null, wednesday: null, thursday: null, friday: null, saturday: null, sunday: null };
    const of = { ...office, businessHours: { ...{ start: "08:00", end: "17:00", timezone: "UTC" }, days: closed } };
    expect(ask("are you open now", { of }).speech).toBe("We're closed now.");
  });
});

describe("insurance", () => {
  it("is a yes for what is listed, however it is called, and never a yes or a no for what is not", () => {
    const yes = { Aetna: "Aetna", "do you take aetna PPO?": "Aetna", "¿aceptan Medicaid?": "MassHealth (Medicaid)" };
    const others = {
      "do you accept BCBS": "Blue Cross Blue Shield of Massachusetts",
      "are you in network with United": "UnitedHealthcare",
    };
    for (const [said, name] of Object.entries({ ...yes, ...others }))
      expect([said, ask(said).answers]).toMatchObject([said, [{ topic: "insurance", asked: [name] }]]);
    expect(says("do you take Aetna?")).toBe("Yes, Aetna is on our list of insurance.");
    for (const said of ["do you take Kaiser?", "is Humana accepted", "do you accept Tricare"])
      expect(says(said)).toBe("I don't see that plan on our list. The office can tell you whether it's taken.");
    expect(says("What insurance do you take?")).toBe(
      "We take Aetna, Blue Cross Blue Shield of Massachusetts, Cigna, Harvard Pilgrim and 2 more. Which plan do you have?",
    );
  });

  it("is no yes for another kind of plan of the same name", () => {
    const of = { ...office, facts: { ...office.facts, insurance: ["Medicare", "UnitedHealthcare", "Humana Medicare Advantage"] } };
    const others = [
      "do you take United Healthcare Community Plan?",
      "do you accept Medicare supplement plans?",
      "¿aceptan el seguro Medigap?",
    ];
    for (const said of others) expect([said, ask(said, { of }).speech]).toEqual([said, expect.stringMatching(/^I don't see|^No veo/)]);
    const [advantage] = ask("Do you take Medicare Advantage?", { of }).answers;
    expect(advantage).toMatchObject({ topic: "insurance", asked: ["Humana Medicare Advantage"] });
    expect(ask("do you take Medicare part C", { of }).answers).toMatchObject([{ asked: ["Humana Medicare Advantage"] }]);
    expect(ask("do you take Medicare part B", { of }).answers).toMatchObject([{ asked: ["Medicare"] }]);
  });
});

describe("other facts", () => {
  it("are said in the caller's language as the office wrote them", () => {
    expect(says("parking")).toBe("Free parking behind the building.");
    expect(says("¿dónde están?")).toMatch(/^Estamos en 80 Lake Avenue, Shelbyville\. We're on the corner/);
    expect(says("do you speak Spanish?")).toBe("Yes, we speak Spanish.");
    expect(says("¿hablan español?")).toBe("Sí, atendemos en español.");
    expect(says("do you speak Korean?")).toBe("I don't see that language on our list. The office can tell you more.");
    expect(says("how much is a flu shot without insurance?")).toBe("Without insurance: flu shot $40.");
    expect(says("what do I need to bring?")).toBe("Please bring your insurance card and a photo ID.");
    expect(says("after hours")).toBe("A nurse answers at 617 555 0199.");
    expect(says("what's your phone number")).toBe("Our phone number is 617 555 0100.");
    expect(says("where are you and how late are you open today")).toMatch(/^We're at 80 Lake Avenue.*We're open today until 5 PM\./);
  });

  it("that are not set are never guessed: the question is offered to the staff", () => {
    const unknown = "I don't have that information. Would you like me to take your question for the staff?";
    for (const said of ["telehealth", "what's your email", "do you take credit cards", "can I bring my dog", "is there a playground"])
      expect([said, ask(said)]).toMatchObject([said, { answers: [{ topic: "unknown" }], speech: unknown }]);
    const { facts: _none, address: _nowhere, ...bare } = office;
    for (const said of ["parking", "do you take Aetna", "where are you", "what languages do you speak", "what should I bring"])
      expect([said, ask(said, { of: bare }).speech]).toEqual([said, unknown]);
    expect(says("¿tienen telemedicina?")).toBe("No tengo esa información. ¿Quiere que le pase su pregunta al personal?");
  });

  it("are read from the office's own questions, which yield to a topic unless they are closer", () => {
    expect(says("walk-ins")).toBe("No, but we keep same-day appointments for sick children.");
    expect(says("do I need an appointment or can I walk in?")).toBe("No, but we keep same-day appointments for sick children.");
    expect(says("what are the lab hours?")).toBe("The lab is open from 7 to 10 in the morning.");
    expect(ask("what are your hours?").answers).toMatchObject([{ topic: "hours" }]);
  });

  it("are at most thirty words each, and one that is longer is offered in parts", () => {
    const of = {
      ...office,
      facts: { parking: Array.from({ length: 60 }, (_, at) => `word${at}`).join(" "), directions: facts.directions },
    };
    for (const said of ["parking", "directions"]) {
      const { speech } = ask(said, { of });
      expect(speech).toMatch(/ Shall I go on\?$/);
      expect(
        speech
          .replace(" Shall I go on?", "")
          .split(/\s+/)
          .filter((word) => /\w/.test(word)).length,
      ).toBeLessThanOrEqual(30);
    }
    for (const said of [undefined, "hours", "insurance", "self-pay prices", "what do I bring", "languages", "after hours", "walk-ins"])
      for (const { topic } of ask(said).answers) expect(ask(topic).speech.split(/\s+/).length).toBeLessThanOrEqual(36);
  });
});
