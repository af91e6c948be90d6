import { speakList, speakWhen } from "../speech/speech-text.ts";
import type { CoverageOnFile, Output } from "./schema.ts";

const describe = ({ payer, plan, memberIdEndsIn, period, startsOn, endsOn }: CoverageOnFile): string =>
  [
    [payer ?? "an insurance", plan].filter(Boolean).join(" "),
    memberIdEndsIn && ` with a member ID ending in ${memberIdEndsIn}`,
    period === "expired" && endsOn && `, which expired ${speakWhen(endsOn)}`,
    period === "not_started" && startsOn && `, which starts ${speakWhen(startsOn)}`,
  ]
    .filter(Boolean)
    .join("");

/** Coverage on file is never called eligible: only the insurer can confirm that. */
export function speak({ coverages, payerMatches, memberIdMatches }: Output): string {
  if (payerMatches === false) return "That isn't the insurance company I have on file. The office can update it.";
  const [first] = coverages;
  if (!first) return "I don't see any insurance on file. The office can add it.";
  const member =
    memberIdMatches === undefined
      ? ""
      : memberIdMatches
        ? " The member ID you gave matches."
        : " The member ID you gave doesn't match what's on file.";
  return `On file ${coverages.length === 1 ? "is" : "are"} ${speakList(coverages.map(describe))}.${member} ${insurerSentence(coverages)}`;
}

function insurerSentence(coverages: CoverageOnFile[]): string {
  const asked = coverages.find(({ insurerSays }) => insurerSays !== "not_checked");
  const which = coverages.length > 1 && asked?.payer ? asked.payer : "The insurer";
  if (asked?.insurerSays === "in_force") return `${which} confirms that it is in force today.`;
  if (asked) return `${which} says that it is not in force today; the office can help with that.`;
  if (coverages.every(({ period }) => period === "expired")) return "The office can update it.";
  return "That is what's on file; it hasn't been checked with the insurer.";
}
