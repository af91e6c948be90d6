import { expect, test } from "vitest";
import { choiceOf, type Choice, isYesOrNo, openAfter, type Open } from "./typed-words.ts";

const short = (choice: Choice): string =>
  choice.kind === "none"
    ? "-"
    : [
        choice.name,
        ...Object.entries(choice.values).map(([name, value]) => `${name}=${value}`),
        choice.changesRecord && "!",
        choice.note && "?",
      ]
        .filter(Boolean)
        .join(" | ");

test.each([
  ["What are your hours on Saturday?", "getOfficeInfo | topic=What are your hours on Saturday?"],
  ["Are you open tomorrow?", "getOfficeInfo | topic=Are you open tomorrow?"],
  ["do you take medicare", "getOfficeInfo | topic=do you take medicare"],
  ["I'd like to book an appointment", "scheduleAppointment | action=find"],
  ["I need an appointment next Tuesday at 9 am, please", "scheduleAppointment | action=find | date=next Tuesday at 9 am"],
  ["Do you have any openings tomorrow afternoon?", "scheduleAppointment | action=find | date=tomorrow afternoon"],
  ["Can I see Dr. Larkmere on March 4?", "scheduleAppointment | action=find | date=March 4 | practitioner=Dr. Larkmere"],
  ["Friday around 3", "scheduleAppointment | action=find | date=Friday around 3"],
  ["as soon as possible", "scheduleAppointment | action=find | date=as soon as possible"],
  ["cancel my appointment on Monday", "scheduleAppointment | action=cancel | appointmentDate=Monday | !"],
  ["I have to reschedule to Thursday morning", "scheduleAppointment | action=reschedule | date=Thursday morning | !"],
  ["When is my next appointment?", "scheduleAppointment | action=list"],
  ["I want to talk to a person", "logRoutingEvent | reason=I want to talk to a person | outcome=transferred"],
  ["Please call me back about my bill", "logRoutingEvent | reason=Please call me back about my bill | outcome=callback"],
  [
    "My name is Maria Lopez, born March 4, 1985, 617 555 0142",
    "verifyPatientIdentity | firstName=Maria | lastName=Lopez | dateOfBirth=March 4, 1985 | phoneNumber=617 555 0142",
  ],
  ["Maria Lopez, 1985-03-04, 02118", "verifyPatientIdentity | firstName=Maria | lastName=Lopez | dateOfBirth=1985-03-04 | zipCode=02118"],
  ["purple elephants", "getOfficeInfo | topic=purple elephants | ?"],
  ["goodbye", "-"],
])("%s", (typed, expected) => {
  expect(short(choiceOf(typed))).toBe(expected);
});

test.each([
  "I have crushing chest pain",
  "I need an appointment tomorrow, I can't breathe",
  "I can't breathe, tomorrow at 9 is fine",
  "Can I come in today, he took a whole bottle of pills",
  "cancel my appointment on Monday, I have chest pain",
  "When is my next appointment? I can't breathe",
  "I have to move it to Friday because of chest pain",
  "Do you have openings today or maybe tomorrow or in a few days, well, I have chest pain since this morning, around 9",
])("the words of an emergency reach the tool with any others: %s", (typed) => {
  const choice = choiceOf(typed);
  const words = choice.kind === "tool" ? Object.values(choice.values).join(" ") : "";
  expect(words).toMatch(/chest pain|can't breathe|bottle of pills/i);
});

test("yes books the time that was asked about, and asks first", () => {
  const first = choiceOf("tomorrow at 9");
  const open: Open | undefined = first.kind === "tool" ? first.open : undefined;
  expect(short(choiceOf("Yes, please.", open))).toBe("scheduleAppointment | action=book | date=tomorrow at 9 | !");
  expect(short(choiceOf("no", open))).toBe("-");
});

test("yes to a question for the staff passes the question on, and changes no record", () => {
  const first = choiceOf("purple elephants");
  const open = first.kind === "tool" ? first.open : undefined;
  expect(short(choiceOf("yes", open))).toBe("logRoutingEvent | reason=purple elephants | outcome=callback");
});

test("yes and no to nothing send nothing, and say what is understood", () => {
  for (const typed of ["yes", "No"])
    expect(choiceOf(typed)).toMatchObject({ kind: "none", note: expect.stringMatching(/Nothing was sent.*Try the office/) });
});

test("a time stays open while the caller is verified for it, and yes answers no question between several", () => {
  const time: Open = { kind: "time", when: "Monday at 10" };
  const booking = choiceOf("yes", time);
  const claim = choiceOf("Maria Lopez, 1985-03-04, 02118");
  if (booking.kind !== "tool" || claim.kind !== "tool") throw new Error("No tool was chosen");
  const kept = openAfter(time, booking, "Before I can do that, I need to verify who I'm speaking with.");
  expect(openAfter(kept, claim, "Thank you, that's all I need.")).toEqual(time);
  const found = choiceOf("tomorrow at 10");
  if (found.kind !== "tool") throw new Error("No tool was chosen");
  expect(openAfter(undefined, found, "I have 9:30 AM. Or 10:00 AM. Which would you like?")).toBeUndefined();
  expect(openAfter(undefined, found, "10:00 AM is open. Would you like it?")).toEqual({ kind: "time", when: "tomorrow at 10" });
  expect(isYesOrNo("If this is an emergency, please hang up and call 911 right now.")).toBe(false);
});
