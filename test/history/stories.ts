import * as z from "zod/mini";
import { bookFirst, scenarios } from "../call/scenarios.ts";
import { done, endWithoutResult, greet, notDone, type Script, verify, verifyFully } from "../call/scenarios/steps.ts";
import { sayDate, sayNumber } from "../call/scenarios/spoken.ts";
import type { Talk } from "../call/talk.ts";

export type StoryName = keyof typeof scenarios | "silent" | "cut-off" | "my-details" | "for-child" | "text-me" | "person" | "new-patient";
/** A caller who is no patient, and what is drawn for the call. */
export type Cast = { stranger: { name: string; number: string }; random: () => number };

const pick = <T>(random: () => number, list: readonly T[]): T => list[Math.floor(random() * list.length)]!;

/** Shares of what callers want; `isOpen`: within office hours. */
export function storiesOf(kind: "family" | "children", isOpen: boolean): readonly (readonly [StoryName, number])[] {
  const common = [
    ["office-facts", 13],
    ["person", isOpen ? 10 : 15],
    ["new-patient", 6],
    ["wrong-person", 4],
    ["silent", 7],
    ["cut-off", 1.5],
    ["spanish", 5],
    ["emergency", 0.7],
    ["emergency-spanish", 0.4],
    ["reschedule", 6],
    ["cancel", 5],
    ["text-me", 5],
    ["my-details", 3],
  ] as const;
  return kind === "children"
    ? [...common, ["for-child", 14], ["guardian", 3], ["book", 15], ["insurance", 6], ["refill", 4]]
    : [
        ...common,
        ["book", 13],
        ["second-offer", 4],
        ["wrong-choice", 2],
        ["female-doctor", 3],
        ["refill", 10],
        ["clinical", 5],
        ["insurance", 5],
      ];
}

/** The child of a parent calls only in some stories. */
export const isAboutChild = (story: StoryName): boolean => story === "guardian" || story === "for-child";

const silent: Script = async (talk) => {
  talk.assistant("Thank you for calling. How can I help you?");
  return { ...notDone("The caller said nothing, and the call was ended."), by: "silence" };
};

const myDetails: Script = async (talk) => {
  greet(talk, "Hi, which address do you have for me?");
  if (!(await verifyFully(talk)).ok || !(await talk.useTool("getPatientInfo", {})).ok) return endWithoutResult(talk);
  talk.caller("That's right, thank you. Goodbye.");
  return done("The caller checked the contact details on file.");
};

const cutOff: Script = async (talk) => {
  greet(talk, "Hi, I need to see a doctor this week.");
  await verify(talk);
  return { ...notDone("The voice platform failed during the call."), by: "error" };
};

/** A parent who says at once who they are. */
const forChild: Script = async (talk) => {
  const { given, family, birthDate, phone, parent } = talk.patient;
  greet(talk, "Hi, I need an appointment for my child.");
  if (!parent) return endWithoutResult(talk);
  talk.assistant("Gladly. May I have your child's name and date of birth, and your own name and number?");
  talk.caller(`${given} ${family}, born ${sayDate(birthDate)}. I'm ${parent.name}, ${sayNumber(parent.phone)}.`);
  const { ok } = await talk.useTool("verifyPatientIdentity", {
    ...{ firstName: given, lastName: family, dateOfBirth: birthDate, phoneNumber: phone },
    ...{ callingFor: "child", callerName: parent.name, callerPhone: parent.phone },
  });
  if (!ok || !(await bookFirst(talk))) return endWithoutResult(talk);
  talk.caller("Perfect, thank you. Goodbye.");
  return done("A parent booked an appointment for a child.");
};

const Sent = z.object({ sent: z.boolean() });
const textMe: Script = async (talk) => {
  greet(talk, "Hi, could you text me when my next appointment is?");
  if (!(await verify(talk)).ok) return endWithoutResult(talk);
  const { found } = await talk.useTool("sendSMS", { purpose: "appointment_confirmation" });
  if (!z.safeParse(Sent, found).data?.sent) {
    talk.caller("Then send me how to reach you, please.");
    const reply = await talk.useTool("sendSMS", { purpose: "general" });
    if (!reply.ok) return endWithoutResult(talk);
    talk.caller("Thanks. Goodbye.");
    return done("The caller asked how to reach the office and got a text message.");
  }
  talk.caller("Got it, thank you. Goodbye.");
  return done("The caller asked when the next appointment is and got a text message.");
};

const matters = [
  ["has a question about a bill", "billing", "I have a question about my bill, could I speak with someone?"],
  ["wants to speak with a person", "other", "Could I talk to a person, please?"],
  ["asks about a referral", "other", "I'm calling about a referral, can you put me through to the front desk?"],
] as const;
const Routed = z.object({ destinations: z.array(z.object({ phone: z.string() })), noted: z.boolean() });

const person =
  ({ stranger, random }: Cast): Script =>
  async (talk) => {
    const [reason, leadReason, wish] = pick(random, matters);
    greet(talk, `Hi. ${wish}`);
    const asked = await talk.useTool("logRoutingEvent", { reason, outcome: "transferred" });
    const [desk] = z.safeParse(Routed, asked.found).data?.destinations ?? [];
    if (desk) {
      await talk.transfer(desk.phone);
      return done("The caller asked for a person and was connected.");
    }
    if (!asked.ok) return endWithoutResult(talk);
    if (random() < 0.3) {
      talk.caller("No, then I'll call again tomorrow.");
      return notDone("The caller asked for a person when no one was there, and left no number.");
    }
    talk.caller(`Yes, ${stranger.name}, ${stranger.number}.`);
    const told = { callerName: stranger.name, callbackNumber: stranger.number, leadReason, note: `The caller ${reason}.` };
    const { ok, found } = await talk.useTool("logRoutingEvent", { reason, outcome: "callback", ...told });
    if (!ok || !z.safeParse(Routed, found).data?.noted) return endWithoutResult(talk);
    talk.caller("Thank you. Goodbye.");
    return done("No one was there; the caller is on the list of people to call back.");
  };

const openings = [
  "Hi, do you take new patients?",
  "Hello, we just moved here and need a doctor.",
  "Hi, I'd like to become a patient of yours.",
];
const times = ["Afternoons are best.", "Please call before noon.", "Any time after five.", "Tomorrow morning, if you can."];

const newPatient =
  ({ stranger, random }: Cast): Script =>
  async (talk) => {
    const note = pick(random, times);
    greet(talk, pick(random, openings));
    talk.assistant("The office can tell you and call you back. May I have your name and your number?");
    talk.caller(`Sure: ${stranger.name}, ${stranger.number}. ${note}`);
    const told = { callerName: stranger.name, callbackNumber: stranger.number, leadReason: "new_patient", note };
    const { ok } = await talk.useTool("logRoutingEvent", { reason: "new patient", outcome: "callback", ...told });
    if (!ok) return endWithoutResult(talk);
    talk.caller("Great. Goodbye.");
    return done("A caller who wants to become a patient left a name and a number.");
  };

const otherWords: Record<string, readonly string[]> = {
  "Hi, I'd like to make an appointment.": [
    "Hi, I'd like to make an appointment.",
    "Good morning, I need to see a doctor. When could I come in?",
    "Hello, I'd like to come in for a checkup.",
    "Hi, can I get an appointment this week?",
  ],
  "What openings do you have?": ["What openings do you have?", "When could I come?", "What's the earliest you have?"],
  "Hi, I need to move my appointment.": [
    "Hi, I need to move my appointment.",
    "Hello, something came up at work and I have to reschedule.",
    "Hi, I can't make my appointment. Is there another time?",
  ],
  "Hi, I have to cancel my appointment.": [
    "Hi, I have to cancel my appointment.",
    "Hello, I won't be able to come. Please cancel my visit.",
  ],
  "Hi, I'm nearly out of my medication.": [
    "Hi, I'm nearly out of my medication.",
    "Hello, the pharmacy says that I need a new prescription.",
    "Hi, I have three days of my pills left.",
  ],
  "Hi, I need an appointment for my child.": [
    "Hi, I need an appointment for my child.",
    "Hello, my kid needs the yearly checkup.",
    "Hi, the school asks for a physical. When can we come?",
  ],
  "Perfect, thank you. Goodbye.": ["Perfect, thank you. Goodbye.", "That works. Thanks, bye.", "Great, see you then. Goodbye."],
  "Thank you. Goodbye.": ["Thank you. Goodbye.", "Thanks so much. Bye."],
  "The first one, please.": ["The first one, please.", "I'll take the first one."],
};

const inOtherWords = (talk: Talk, random: () => number): Talk => ({
  ...talk,
  caller: (text) => talk.caller(pick(random, otherWords[text] ?? [text])),
});

export function scriptOf(story: StoryName, cast: Cast): Script {
  const own: Partial<Record<StoryName, Script>> = {
    silent,
    "cut-off": cutOff,
    "my-details": myDetails,
    "for-child": forChild,
    "text-me": textMe,
    person: person(cast),
    "new-patient": newPatient(cast),
  };
  const script = own[story] ?? (scenarios as Partial<Record<StoryName, Script>>)[story];
  if (!script) throw new Error(`No story is named ${story}`);
  return (talk) => script(inOtherWords(talk, cast.random));
}
