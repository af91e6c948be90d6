import { cernerLike } from "./cerner-like.ts";
import { epicLike } from "./epic-like.ts";
import { hapiLike } from "./hapi-like.ts";
import type { Personality } from "./personality.ts";
import { plain } from "./plain.ts";
import { resourceTypes } from "../store/resource.ts";

const scheduling = new Set<string>(["Appointment", "Slot", "Schedule"]);
const eligibility = new Set<string>(["CoverageEligibilityRequest", "CoverageEligibilityResponse"]);

const readonly: Personality = {
  name: "readonly",
  software: { name: "Vitaline sandbox EHR, read only", version: "1" },
  vendor: "custom",
  summary: "Reads and searches only; no appointments, slots or schedules.",
  paths: { R4: "/readonly/r4", STU3: "/readonly/stu3", DSTU2: "/readonly/dstu2" },
  tokenPath: "/readonly/oauth2/token",
  algorithms: ["RS384", "ES384", "RS256"],
  wildcardScopes: true,
  abilities: () => ({
    interactions: Object.fromEntries(
      resourceTypes.filter((type) => !scheduling.has(type) && !eligibility.has(type)).map((type) => [type, ["read", "search-type"]]),
    ),
    operations: [],
    transaction: false,
    conditionalCreate: false,
  }),
};

export const createPersonalities = (): Personality[] => [plain, readonly, epicLike, cernerLike(), hapiLike()];
