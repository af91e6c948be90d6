import { expect, test } from "vitest";
import { type Choice, isYesOrNo, type Open, openAfter, type Tool } from "./caller-answer.ts";
import { choiceOf } from "./typed-words.ts";

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

const topic = "getOfficeInfo | topic=*";
const find = "scheduleAppointment | action=find";
const refill = "sendCommunicationFhir | category=refill_request | message=*";

/** "*": the sentence itself. "!": asked about before it is sent. "?": with a note that it was not understood. */
test.each([
  ["What are your hours on Saturday?", topic],
  ["Hi, what are your opening hours on Saturday?", topic],
  ["When do you open tomorrow?", topic],
  ["Are you open tomorrow?", topic],
  ["How late are you open on Friday?", topic],
  ["What are your opening times", topic],
  ["Where are you located?", topic],
  ["Is there parking?", topic],
  ["How much is a visit?", topic],
  ["What should I bring to my appointment?", topic],
  ["Do you offer video visits?", topic],
  ["Do you accept walk-ins?", topic],
  ["do you take medicare", topic],
  ["Do you take Blue Cross?", topic],
  ["Do you accept my insurance?", topic],
  ["Which insurance do you accept?", topic],
  ["I have Aetna, do you take it?", topic],
  ["My insurance is Blue Cross.", "verifyInsurance | payerName=Blue Cross"],
  ["I have Aetna", "verifyInsurance | payerName=Aetna"],
  ["My member ID is W123 456", "verifyInsurance | memberId=W123 456"],
  ["Can you check my insurance, please?", "verifyInsurance"],
  ["Is my insurance still active?", "verifyInsurance"],
  ["I need a refill of my atorvastatin", `${refill} | medicationName=atorvastatin | !`],
  ["I'd like to refill my lisinopril 10 mg please", `${refill} | medicationName=lisinopril 10 mg | !`],
  ["Can I get my metformin refilled?", `${refill} | medicationName=metformin | !`],
  ["I'm almost out of my blood pressure pills", `${refill} | !`],
  ["I need a refill", `${refill} | !`],
  ["Please renew my prescription", `${refill} | !`],
  ["How many refills do I have left?", "getMedicationHistoryFhir"],
  ["What medications am I on?", "getMedicationHistoryFhir"],
  ["I'd like to book an appointment", find],
  ["I need an appointment next Tuesday at 9 am, please", `${find} | date=next Tuesday at 9 am`],
  ["Do you have any openings tomorrow afternoon?", `${find} | date=tomorrow afternoon`],
  ["Do you have anything open on Friday?", `${find} | date=Friday`],
  ["Can I see Dr. Larkmere on March 4?", `${find} | date=March 4 | practitioner=Dr. Larkmere`],
  ["Friday around 3", `${find} | date=Friday around 3`],
  ["Tuesday at 2", `${find} | date=Tuesday at 2`],
  ["as soon as possible", `${find} | date=as soon as possible`],
  ["cancel my appointment on Monday", "scheduleAppointment | action=cancel | appointmentDate=Monday | !"],
  ["I need to cancel my appointment", "scheduleAppointment | action=cancel | !"],
  ["I have to reschedule to Thursday morning", "scheduleAppointment | action=reschedule | date=Thursday morning | !"],
  ["Can I reschedule my appointment?", "scheduleAppointment | action=reschedule | !"],
  ["Move my visit on Monday to Friday at 10", "scheduleAppointment | action=reschedule | date=Friday at 10 | appointmentDate=Monday | !"],
  ["I need to reschedule my appointment on Monday", "scheduleAppointment | action=reschedule | appointmentDate=Monday | !"],
  ["When is my next appointment?", "scheduleAppointment | action=list"],
  ["What appointments do I have?", "scheduleAppointment | action=list"],
  ["I want to talk to a person", "logRoutingEvent | reason=* | outcome=transferred"],
  ["A person, please.", "logRoutingEvent | reason=* | outcome=transferred"],
  ["Can I speak to a real person?", "logRoutingEvent | reason=* | outcome=transferred"],
  ["Please call me back about my bill", "logRoutingEvent | reason=* | outcome=callback"],
  [
    "My name is Maria Lopez, born March 4, 1985, 617 555 0142",
    "verifyPatientIdentity | firstName=Maria | lastName=Lopez | dateOfBirth=March 4, 1985 | phoneNumber=617 555 0142",
  ],
  ["Maria Lopez, 1985-03-04, 02118", "verifyPatientIdentity | firstName=Maria | lastName=Lopez | dateOfBirth=1985-03-04 | zipCode=02118"],
  ["purple elephants", `${topic} | ?`],
  ["goodbye", "-"],
])("%s", (typed, expected) => {
  expect(short(choiceOf(typed))).toBe(expected.replace("*", typed));
});

test.each([
  "I have crushing chest pain",
  "I need an appointment tomorrow, I can't breathe",
  "I can't breathe, tomorrow at 9 is fine",
  "Can I come in today, he took a whole bottle of pills",
  "cancel my appointment on Monday, I have chest pain",
  "When is my next appointment? I can't breathe",
  "I need a refill of my atorvastatin and I have chest pain",
  "My insurance is Aetna and I have chest pain",
  "I have chest pain and my insurance is Aetna",
  "I have to move it to Friday because of chest pain",
  "Do you have openings today or maybe tomorrow or in a few days, well, I have chest pain since this morning, around 9",
])("the words of an emergency reach the tool with any others: %s", (typed) => {
  const choice = choiceOf(typed);
  const words = choice.kind === "tool" ? Object.values(choice.values).join(" ") : "";
  expect(words).toMatch(/chest pain|can't breathe|bottle of pills/i);
});

const toolOf = (typed: string, open?: Open): Tool => {
  const choice = choiceOf(typed, open);
  if (choice.kind !== "tool") throw new Error(choice.note);
  return choice;
};
const after = (typed: string, speech: string): Open | undefined => openAfter(undefined, toolOf(typed), speech);
const several = "I have Tuesday, December 1, at 9:30 AM, at 2 PM, or Wednesday, December 2, at 10 AM. Which would you like?";
const book = "scheduleAppointment | action=book";

test.each([
  ["The first one", `${book} | slotId=The first one | !`],
  ["the second, please", `${book} | slotId=the second | !`],
  ["Yes, the last one works", `${book} | slotId=the last one | !`],
  ["option 3", `${book} | slotId=option 3 | !`],
  ["2", `${book} | slotId=2 | !`],
  ["Tuesday at 2", `${book} | date=Tuesday at 2 | !`],
  ["I'll take the one at 9:30", `${book} | date=at 9:30 | !`],
  ["Wednesday is good", `${book} | date=Wednesday | !`],
  ["Friday at 2", `${find} | date=Friday at 2`],
  ["Do you have anything on Wednesday afternoon?", `${find} | date=Wednesday afternoon`],
  ["Are you open on Saturday?", topic],
  ["yes please", "-"],
  ["no", "-"],
])("of several offered times, “%s” chooses as a caller means it", (typed, expected) => {
  const open = after("I'd like to book an appointment", several);
  expect(short(choiceOf(typed, open))).toBe(expected.replace("*", typed));
});

test("yes to several times asks which, and to a single one books it", () => {
  const open = after("I'd like to book an appointment", several);
  expect(choiceOf("yes", open)).toMatchObject({ kind: "none", note: expect.stringContaining("Type which one") });
  const single = after("any openings on Friday", "I have Friday, December 4, at 9 AM. Would that work for you?");
  for (const typed of ["Yes please!", "that works", "The first one"])
    expect(short(choiceOf(typed, single))).toBe(`${book} | slotId=the first one | !`);
});

test("words of an emergency beside a choice are no choice", () => {
  const open = after("I'd like to book an appointment", several);
  expect(short(choiceOf("The first one, but I have chest pain", open))).toBe(
    `${topic.replace("*", "The first one, but I have chest pain")} | ?`,
  );
});

test("yes books the time that was asked about, and asks first", () => {
  const open = after("tomorrow at 9", "Yes, tomorrow at 9 AM is open. Shall I book it?");
  expect(short(choiceOf("Yes, please.", open))).toBe(`${book} | date=tomorrow at 9 | !`);
  expect(short(choiceOf("no", open))).toBe("-");
});

test("a visit to move or cancel is confirmed by a yes, chosen by its day, and moved to an offered time", () => {
  const cancel = after("cancel my appointment", "That's Monday, November 30, at 9 AM with Doctor Dunstead. Shall I cancel it?");
  expect(short(choiceOf("yes", cancel))).toBe("scheduleAppointment | action=cancel | appointmentDate=November 30 | !");
  const which = after("cancel my appointment", "You have Monday, November 30 and Friday, December 4. Which one would you like to cancel?");
  expect(short(choiceOf("the one on Monday", which))).toBe("scheduleAppointment | action=cancel | appointmentDate=Monday | !");
  const move = after("Move my visit on Monday to Friday", several);
  expect(short(choiceOf("the first one", move))).toBe(
    "scheduleAppointment | action=reschedule | appointmentDate=Monday | slotId=the first one | !",
  );
});

test("yes to a question for the staff passes the question on, and changes no record", () => {
  const open = after("purple elephants", "I don't have that. Would you like me to take your question for the staff?");
  expect(short(choiceOf("yes", open))).toBe("logRoutingEvent | reason=purple elephants | outcome=callback");
});

test("yes and no to nothing send nothing; they and words that are not understood say what can be typed", () => {
  for (const typed of ["yes", "No"])
    expect(choiceOf(typed)).toMatchObject({ kind: "none", note: expect.stringMatching(/Nothing was sent.*You can type/) });
  expect(choiceOf("purple elephants").note).toMatch(/did not understand these words\. You can type [^.]+\.$/);
});

test("a wish stays open while the caller is verified for it", () => {
  const claim = toolOf("Maria Lopez, 1985-03-04, 02118");
  for (const [wish, speech] of [
    ["I need a refill of my atorvastatin", "Before I can do that, I need to verify who I'm speaking with. Please tell me your full name."],
    ["cancel my appointment on Monday", "Before I can do that, I need to verify who I'm speaking with. Please tell me your full name."],
  ] as const) {
    const open = openAfter(after(wish, speech), claim, "Thank you, that's all I need.");
    expect(short(choiceOf("yes", open))).toBe(short(choiceOf(wish)));
  }
  const found = after(
    "tomorrow at 9",
    "Yes, tomorrow at 9 AM is open. To book it, I need the patient's full name, date of birth, and a phone number or zip code on file.",
  );
  expect(short(choiceOf("yes", openAfter(found, claim, "Thank you.")))).toBe(`${book} | date=tomorrow at 9 | !`);
  expect(isYesOrNo("If this is an emergency, please hang up and call 911 right now.")).toBe(false);
});
