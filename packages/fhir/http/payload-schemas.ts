import type { OutboundResponse } from "@vitaline/outbound";
import * as z from "zod/mini";

/** What we demand of the resources that steer us; all else in them is the server's own affair. https://hl7.org/fhir/R4 */

export const Resource = z.looseObject({ resourceType: z.string(), id: z.optional(z.string()) });
export type Resource = z.infer<typeof Resource>;

const CodeExtension = z.looseObject({ url: z.string(), valueCode: z.nullish(z.string()) });
export const Bundle = z.looseObject({
  resourceType: z.literal("Bundle"),
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

/** In R4 a definition is a canonical address, before that a reference. */
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
/** Extensions nest: oauth-uris holds one extension per address. */
const Extension = z.looseObject({
  url: z.string(),
  extension: z.nullish(z.array(z.looseObject({ url: z.string(), valueUri: z.nullish(z.string()) }))),
});
/** What a server says of itself, in any version: DSTU2 calls it Conformance and has a mode for transactions. */
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

/** JSON by any of its names: FHIR's two, OAuth's, a problem's. An answer that does not say what it is may be JSON. */
const jsonType = /^\s*(?:application|text)\/(?:[a-z0-9.-]+\+)?json(?:\+fhir)?\s*(?:;|$)/i;

/** The answer's body if it is JSON of this shape and says so. */
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
