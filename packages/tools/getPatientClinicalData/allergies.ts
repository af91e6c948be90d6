import type { AllergyIntolerance } from "fhir/r4.js";
import { conceptText } from "../in-words.ts";
import { isPresent } from "./conditions.ts";
import type { Read } from "./gather.ts";

/** SNOMED CT and its children as servers use them: no known allergy, drug allergy, food allergy, environmental allergy, latex allergy. */
const noneKnown = new Set(["716186003", "409137002", "429625007", "428607008", "1003774007"]);
const saysNone = (one: AllergyIntolerance): boolean =>
  Boolean(one.code?.coding?.some(({ code }) => noneKnown.has(code ?? ""))) || /^no known\b/i.test(nameOf(one) ?? "");

const nameOf = ({ code, reaction = [] }: AllergyIntolerance): string | undefined =>
  conceptText(code) ?? reaction.map(({ substance }) => conceptText(substance)).find((name) => name !== undefined);

const mostAllergies = 500;
/** Active allergies with what they do, in words; and whether "none" was recorded. */
export const readAllergies: Read = async ({ search, own }) => {
  // A search by status would leave out those that have none.
  const found = await search<AllergyIntolerance>("AllergyIntolerance", {}, mostAllergies);
  const allergies = found.filter(({ resourceType }) => resourceType === "AllergyIntolerance");
  const present = own(allergies, ({ patient }) => patient).filter(isPresent);
  const real = present.filter((one) => !saysNone(one));
  const none = present.find(saysNone);
  return {
    allergies: real.map((one) => ({
      to: nameOf(one) ?? "something the record does not name",
      reactions: [
        ...new Set((one.reaction ?? []).flatMap(({ manifestation }) => manifestation.flatMap((concept) => conceptText(concept) ?? []))),
      ],
    })),
    // Beside an allergy, an old "none known" is not repeated.
    ...(none && real.length === 0 ? { noKnownAllergies: nameOf(none) ?? "No known allergies" } : {}),
  };
};
