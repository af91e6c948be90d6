import type * as r2 from "fhir/r2.js";
import type * as r4 from "fhir/r4.js";
import { compact, first, pick, type Plain } from "../pick.ts";
import { base, identifier, referenceIf, references } from "./elements.ts";

const classOf = ({ class: classes = [] }: Plain<r4.Coverage>, code: string): string | undefined =>
  classes.find(({ type }) => type.coding?.some((one) => one.code === code))?.value;

/** Coverage knew a subscriber and no beneficiary: whoever is covered is told as the subscriber. */
export const coverage = (one: Plain<r4.Coverage>): r2.Coverage =>
  compact({
    resourceType: "Coverage",
    ...base(one),
    ...pick(one, "period"),
    identifier: one.identifier?.map(identifier),
    issuer: referenceIf(first(one.payor)),
    type: one.type?.coding?.[0],
    subscriberId: one.subscriberId === undefined ? undefined : { value: one.subscriberId },
    group: classOf(one, "group"),
    plan: classOf(one, "plan"),
    subPlan: classOf(one, "subplan"),
    sequence: one.order,
    subscriber: referenceIf(one.beneficiary),
    contract: references(one.contract),
  });
