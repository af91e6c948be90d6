import type { OutboundResponse } from "@vitaline/outbound";
import * as z from "zod/mini";

/** Validates only the fields that we act on; the rest of a resource passes through. https://hl7.org/fhir/R4 */

export const Resource = z.looseObject({ resourceType: z.string(), id: z.optional(z.string()) });
export type Resource = z.infer<typeof Resource>;

const CodeExtension = z.looseObject({ url: z.string(), valueCode: z.nullish(z.string()) });
export const Bundle = z.looseObject({
  resourceType: z.literal("Bundle"),
  total: z.catch(z.nullish(z.number()), undefined),
  link: z.nullish(z.array(z.looseObject({ relation: z.string(), url: z.string() }))),
  entry: z.nullish(
    z.array(
      z.looseObject({
        resource: z.nullish(Resource),
        search: z.nullish(z.looseObject({ mode: z.nullish(z.string()), extension: z.catch(z.nullish(z.array(CodeExtension)), undefined) })),
      }),
    ),
  ),
});
export type Bundle = z.infer<typeof Bundle>;

export const OperationOutcome = z.looseObject({
  resourceType: z.literal("OperationOutcome"),
  issue: z.array(
    z.looseObject({
      severity: z.nullish(z.string()),
      code: z.nullish(z.string()),
      details: z.catch(z.nullish(z.looseObject({ coding: z.nullish(z.array(z.looseObject({ code: z.nullish(z.string()) }))) })), undefined),
    }),
  ),
});
export type OperationOutcome = z.infer<typeof OperationOutcome>;

/** R4: a canonical URL; before R4: a Reference. */
const operations = z.nullish(
  z.array(
    z.looseObject({
      name: z.string(),
      definition: z.catch(z.nullish(z.union([z.string(), z.looseObject({ reference: z.nullish(z.string()) })])), undefined),
    }),
  ),
);
const interactions = z.nullish(z.array(z.looseObject({ code: z.string() })));
const RestResource = z.looseObject({
  type: z.string(),
  interaction: interactions,
  searchParam: z.nullish(z.array(z.looseObject({ name: z.string() }))),
  operation: operations,
  conditionalCreate: z.nullish(z.boolean()),
});
/** The oauth-uris extension holds one nested extension per URL. */
const Extension = z.looseObject({
  url: z.string(),
  extension: z.nullish(z.array(z.looseObject({ url: z.string(), valueUri: z.nullish(z.string()) }))),
});
/** CapabilityStatement, or Conformance in DSTU2, which has `transactionMode`. */
export const Statement = z.looseObject({
  resourceType: z.enum(["CapabilityStatement", "Conformance"]),
  fhirVersion: z.nullish(z.string()),
  software: z.nullish(z.looseObject({ name: z.nullish(z.string()), version: z.nullish(z.string()) })),
  patchFormat: z.nullish(z.array(z.string())),
  rest: z.nullish(
    z.array(
      z.looseObject({
        mode: z.nullish(z.string()),
        security: z.nullish(z.looseObject({ extension: z.nullish(z.array(Extension)) })),
        resource: z.nullish(z.array(RestResource)),
        interaction: interactions,
        operation: operations,
        transactionMode: z.nullish(z.string()),
      }),
    ),
  ),
});
export type Statement = z.infer<typeof Statement>;

/** The JSON media types of FHIR, OAuth and problem details. A response without a media type may be JSON. */
const jsonType = /^\s*(?:application|text)\/(?:[a-z0-9.-]+\+)?json(?:\+fhir)?\s*(?:;|$)/i;

/** The body if it is JSON and matches the schema. */
export function bodyAs<S extends z.ZodMiniType>(schema: S, response: OutboundResponse): z.output<S> | undefined {
  const type = response.headers["content-type"];
  if (type !== undefined && !jsonType.test(type)) return undefined;
  try {
    const parsed = z.safeParse(schema, response.json());
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}
