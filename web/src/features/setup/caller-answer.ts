import { ordinalIn, restOf, whenIn } from "./said-parts.ts";

export type Tool = {
  kind: "tool";
  name: string;
  values: Record<string, string>;
  open?: Open;
  changesRecord?: true;
  note?: string;
};
/** For words that the user typed: a tool with arguments as a model would give them, or a sentence of this page. `note`: shown if the tool asks back. */
export type Choice = Tool | { kind: "none"; note: string };

/** What the agent's last sentence left open: a tool that a yes runs, several to choose from, or a question that a yes passes on. */
export type Open =
  | { kind: "yes"; tool: Tool }
  | { kind: "offers" | "visits"; values: Record<string, string>; speech: string }
  | { kind: "question"; words: string };

export const advice =
  "You can type a question about the office or insurance, a visit to book, move or cancel, a day and time, “the first one”, yes or no, a refill, a name with birth date and phone number, or “I want to talk to a person”.";

/** Whether a yes answers the last sentence: not "Which would you like?". */
export const isYesOrNo = (speech: string): boolean =>
  /(?:^|[.!?]\s+)(?!which|what|when|who|where|how|may i have)[^.!?]*\?$/i.test(speech.trim());

const scheduling = (values: Record<string, string>): Tool => ({
  kind: "tool",
  name: "scheduleAppointment",
  values,
  ...(values["action"] === "find" || values["action"] === "list" ? {} : { changesRecord: true }),
});

const asksWhoCalls = /need to verify who I'm speaking with|To book it, I need/i;
const dayInSpeech = /\b(?:january|february|march|april|may|june|july|august|september|october|november|december) \d{1,2}\b/i;

/** What the agent's sentence after a tool leaves open. Beyond its question a wish stays open while the caller is verified for it. */
export function openAfter(before: Open | undefined, tool: Tool, speech: string): Open | undefined {
  const { name, values, open } = tool;
  const said = speech.trim();
  if (name === "verifyPatientIdentity") return before;
  if (name !== "scheduleAppointment") {
    if (asksWhoCalls.test(said)) return { kind: "yes", tool };
    return isYesOrNo(said) ? open : undefined;
  }
  const { action, appointmentDate } = values;
  const target: Record<string, string> =
    action === "reschedule" ? { action, ...(appointmentDate ? { appointmentDate } : {}) } : { action: "book" };
  const offered: Open = open ?? { kind: "yes", tool: scheduling({ ...target, slotId: "the first one" }) };
  const day = dayInSpeech.exec(said)?.[0];
  if (/To book it, I need/i.test(said)) return offered;
  if (asksWhoCalls.test(said)) return { kind: "yes", tool };
  if (/Which would you like\?$/i.test(said)) return { kind: "offers", values: target, speech: said };
  if (/Which one would you like to (?:cancel|reschedule)\?$/i.test(said)) return { kind: "visits", values, speech: said };
  if (/Would that work for you\?$/i.test(said)) return { kind: "yes", tool: scheduling({ ...target, slotId: "the first one" }) };
  if (/Shall I book it\?$/i.test(said)) return offered;
  if (/Shall I (?:cancel|move) it\?$/i.test(said) && day) return { kind: "yes", tool: scheduling({ ...values, appointmentDate: day }) };
  return undefined;
}

const yes =
  /^(?:(?:yes|yeah|yep|yup|sure|ok(?:ay)?|please|please do|perfect|great|that works|that'?s (?:fine|good|great|perfect)|that would (?:work|be (?:fine|good|great))|sounds (?:good|great)|book it|go ahead|i'll take it|let's do (?:it|that)|it does)(?:[,.! ]+|$))+$/i;
const no = /^(?:no|nope|no[, ]+thanks?|no[, ]+thank you|not really|none of (?:those|these|them)|neither)[.! ]*$/i;

const agreeing =
  /\b(?:yes|yeah|sure|ok(?:ay)?|i'll|take|let's|go|one|ones|works?|fine|good|great|best|better|prefer|sounds|perfect|think)\b/gi;
const asksForOther = /\b(?:about|anything|other|another|else|different|later|earlier|instead|do you have)\b/i;

/** No other word is left, as the tool for any question must hear an emergency. */
const isAll = (said: string, part: string | undefined): part is string =>
  part !== undefined && restOf(said.replace(part, " ").replaceAll(agreeing, " "), []) === undefined;

/** Another time than the offered ones is to be found first. */
const isIn = (speech: string, when: string): boolean =>
  (when.match(/[a-z]{3,}|\d+(?::\d\d)?/gi) ?? []).every(
    (one) => /^(?:this|next|coming|the|around)$/i.test(one) || new RegExp(`\\b${one}\\b`, "i").test(speech),
  );

const nthIn = (said: string): string | undefined => {
  const nth = ordinalIn(said);
  return isAll(said, nth) && !asksForOther.test(said) ? nth : undefined;
};

function picked(said: string, { kind, values, speech }: Extract<Open, { speech: string }>): Choice | undefined {
  const [nth, when] = [nthIn(said), whenIn(said)];
  if (kind === "offers" && nth !== undefined) return scheduling({ ...values, slotId: nth });
  if (!isAll(said, when) || asksForOther.test(said)) return undefined;
  if (kind === "visits") return scheduling({ ...values, appointmentDate: when });
  return isIn(speech, when) ? scheduling({ ...values, date: when }) : undefined;
}

const nothing = (why: string): Choice => ({ kind: "none", note: `Nothing was sent: ${why}` });

/** What the words mean as an answer to what is open; undefined if they are none. No tool is run for a no. */
export function answerIn(said: string, open: Open | undefined): Choice | undefined {
  if (no.test(said)) {
    if (!open) return nothing(`the agent’s last sentence left nothing open that yes or no answers here. ${advice}`);
    return nothing("no tool runs for a no. Type another day or time, or another question.");
  }
  const isYes = yes.test(said);
  switch (open?.kind) {
    case "yes":
      return isYes || (nthIn(said) !== undefined && "slotId" in open.tool.values) ? open.tool : undefined;
    case "offers":
    case "visits":
      if (!isYes) return picked(said, open);
      return nothing(
        open.kind === "offers"
          ? "the agent offered several times. Type which one, such as “the first one” or “Tuesday at 2”."
          : "the agent named several visits. Type the day of the one that is meant.",
      );
    case "question":
      return isYes ? { kind: "tool", name: "logRoutingEvent", values: { reason: open.words, outcome: "callback" } } : undefined;
    case undefined:
      return isYes ? nothing(`the agent’s last sentence left nothing open that yes or no answers here. ${advice}`) : undefined;
  }
}
