import { inList, lowered, sayWhen } from "../speech/speech-text.ts";
import { saidName } from "../speech/names.ts";
import type { Medication, Output } from "./schema.ts";

const refills = (left: number): string => (left === 0 ? "no refills left" : left === 1 ? "one refill left" : `${left} refills left`);

/** One medication with all that is known of it. */
const whole = ({ name, dosage, prescriber, lastFilled, refillsLeft }: Medication): string =>
  [
    name,
    prescriber && `prescribed by ${saidName(prescriber)}`,
    dosage && lowered(dosage.replace(/\.$/, "")),
    lastFilled && `last filled ${sayWhen(lastFilled)}`,
    refillsLeft !== undefined && `with ${refills(refillsLeft)} on the prescription`,
  ]
    .filter(Boolean)
    .join(", ");

/** In brief, for a list. */
const brief = ({ name, lastFilled }: Medication): string => (lastFilled ? `${name}, last filled ${sayWhen(lastFilled)}` : name);

/** One line that names what is prescribed. About refills it says what the record holds and no more: whether there is one, others decide. */
export function speak({ asked, medications, more, missing }: Output): string {
  const late = missing.length > 0 ? " I couldn't get everything about your medications just now." : "";
  const active = medications.filter(({ status, source }) => status === "active" && source === "prescribed");
  const others = medications.filter((one) => !active.includes(one));
  const [only] = active;
  if (medications.length === 0) return `I don't see ${asked ? "a medication by that name" : "any medications"} on file.${late}`;
  const alsoOnFile = `Also on file: ${inList(others.map(former), { more })}.`;
  if (!only) return `I don't see an active prescription${asked ? " for that" : ""}. ${alsoOnFile}${late}`;
  if (active.length === 1) {
    const beside = others.length > 0 && !asked ? ` ${alsoOnFile}` : "";
    return `You have one active prescription${asked ? " for that" : ""}: ${whole(only)}.${beside}${late}`;
  }
  // Of those that are not told some may be active too.
  const count = `${more > 0 && others.length === 0 ? "at least " : ""}${active.length}`;
  return `You have ${count} active prescriptions${asked ? " for that" : ""}: ${inList(active.map(brief))}.${late}`;
}

const former = ({ name, status, source }: Medication): string =>
  source === "reported" ? `${name}, as the clinic has noted` : `${name}, ${status.replaceAll("-", " ")}`;
