import { creatableTypes, patchableTypes, resourceTypes, updatableTypes, type ResourceType } from "../store/resource.ts";
import type { Interaction, Personality } from "./personality.ts";

export const plain: Personality = {
  name: "plain",
  software: { name: "Vitaline sandbox EHR", version: "1" },
  vendor: "custom",
  summary: "Does everything: reads, searches, writes, transactions, bookings by slot.",
  paths: { R4: "/r4", STU3: "/stu3", DSTU2: "/dstu2" },
  tokenPath: "/oauth2/token",
  algorithms: ["RS384", "ES384", "RS256"],
  wildcardScopes: true,
  abilities: (version) => ({
    interactions: Object.fromEntries(
      resourceTypes.map((type) => [type, interactionsOf(type).filter((one) => one !== "patch" || version === "R4")]),
    ),
    operations: [],
    transaction: true,
    conditionalCreate: true,
  }),
};

const interactionsOf = (type: ResourceType): Interaction[] => [
  "read",
  "search-type",
  ...(creatableTypes.includes(type) ? (["create"] as const) : []),
  ...(updatableTypes.includes(type) ? (["update"] as const) : []),
  ...(patchableTypes.includes(type) ? (["patch"] as const) : []),
];
