import type { ParametersParameter } from "fhir/r4.js";
import * as z from "zod/mini";
import type { Call } from "./http.ts";
import { parseBody } from "./interactions.ts";
import { Refusal } from "./refusal.ts";

const parametersSchema = z.object({
  resourceType: z.literal("Parameters"),
  parameter: z.array(z.looseObject({ name: z.string() })),
});

/** The parameters of an operation by name, each at most once; an unknown name is refused. https://hl7.org/fhir/R4/parameters.html */
export function readParameters(call: Call, known: readonly string[]): Map<string, ParametersParameter> {
  const parsed = parametersSchema.safeParse(parseBody(call));
  if (!parsed.success) throw new Refusal(400, "structure", "The body is not a Parameters resource");
  const byName = new Map<string, ParametersParameter>();
  for (const parameter of parsed.data.parameter as ParametersParameter[]) {
    const { name } = parameter;
    if (!known.includes(name)) throw new Refusal(400, "not-supported", `The operation has no parameter "${name}"`);
    if (byName.has(name)) throw new Refusal(400, "invalid", `The parameter "${name}" comes twice`);
    byName.set(name, parameter);
  }
  return byName;
}
