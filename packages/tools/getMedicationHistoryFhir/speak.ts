import { lowerCaseWords, speakList, speakName, speakWhen } from "../speech/speech-text.ts";
import type { Medication, Output } from "./schema.ts";

const refills = (left: number): string => (left === 0 ? "no refills left" : left === 1 ? "one refill left" : `${left} refills left`);

const describe = ({ name, dosage, prescriber, lastFilled, refillsLeft }: Medication): string =>
  [
    name,
    prescriber && `prescribed by ${speakName(prescriber)}`,
    dosage && lowerCaseWords(dosage.replace(/\.$/, "")),
    lastFilled && `last filled ${speakWhen(lastFilled)}`,
    refillsLeft !== undefined && `with ${refills(refillsLeft)} on the prescription`,
  ]
    .filter(Boolean)
    .join(", ");

const describeBriefly = ({ name, lastFilled }: Medication): string => (lastFilled ? `${name}, last filled ${speakWhen(lastFilled)}` : name);

/** Tells the refills on record, but never promises one. */
export function speak({ asked, medications, more, missing }: Output): string {
  const late = missing.length > 0 ? " I couldn't get everything about your medications just now." : "";
  const active = medications.filter(({ status, source }) => status === "active" && source === "prescribed");
  const others = medications.filter((one) => !active.includes(one));
  const [only] = active;
  if (medications.length === 0) return `I don't see ${asked ? "a medication by that name" : "any medications"} on file.${late}`;
  const alsoOnFile = `Also on file: ${speakList(others.map(describeOther), { more })}.`;
  if (!only) return `I don't see an active prescription${asked ? " for that" : ""}. ${alsoOnFile}${late}`;
  if (active.length === 1) {
    const beside = others.length > 0 && !asked ? ` ${alsoOnFile}` : "";
    return `You have one active prescription${asked ? " for that" : ""}: ${describe(only)}.${beside}${late}`;
  }
  // Unlisted ones may be active too.
  const count = `${more > 0 && others.length === 0 ? "at least " : ""}${active.length}`;
  return `You have ${count} active prescriptions${asked ? " for that" : ""}: ${speakList(active.map(describeBriefly))}.${late}`;
}

const describeOther = ({ name, status, source }: Medication): string =>
  source === "reported" ? `${name}, as the clinic has noted` : `${name}, ${status.replaceAll("-", " ")}`;
