import type { OutboundResponse } from "@vitaline/outbound";
import * as z from "zod/mini";

/** What we demand of the resources that steer us; all else in them is the server's own affair. https://hl7.org/fhir/R4 */

export const Resource = z.looseObject({ resourceType: z.string(), id: z.optional(z.string()) });
export type Resource = z.infer<typeof Resource>;

export const Bundle = z.looseObject({
  resourceType: z.literal("Bundle"),
  link: z.nullish(z.array(z.looseObject({ relation: z.string(), url: z.string() }))),
  entry: z.nullish(
    z.array(z.looseObject({ resource: z.nullish(Resource), search: z.nullish(z.looseObject({ mode: z.nullish(z.string()) })) })),
  ),
});
export type Bundle = z.infer<typeof Bundle>;

export const OperationOutcome = z.looseObject({
  resourceType: z.literal("OperationOutcome"),
  issue: z.array(z.looseObject({ severity: z.nullish(z.string()), code: z.nullish(z.string()) })),
});

const names = z.nullish(z.array(z.looseObject({ name: z.string() })));
const RestResource = z.looseObject({
  type: z.string(),
  interaction: z.nullish(z.array(z.looseObject({ code: z.string() }))),
  searchParam: names,
  conditionalCreate: z.nullish(z.boolean()),
});
/** Extensions nest: oauth-uris holds one extension per address. */
const Extension = z.looseObject({
  url: z.string(),
  extension: z.nullish(z.array(z.looseObject({ url: z.string(), valueUri: z.nullish(z.string()) }))),
});
export const CapabilityStatement = z.looseObject({
  resourceType: z.literal("CapabilityStatement"),
  rest: z.array(
    z.looseObject({
      mode: z.nullish(z.string()),
      security: z.nullish(z.looseObject({ extension: z.nullish(z.array(Extension)) })),
      resource: z.nullish(z.array(RestResource)),
    }),
  ),
});
export type CapabilityStatement = z.infer<typeof CapabilityStatement>;

/** https://hl7.org/fhir/smart-app-launch/conformance.html; real servers leave out what the guide requires. */
export const SmartConfiguration = z.looseObject({
  token_endpoint: z.string(),
  token_endpoint_auth_methods_supported: z.nullish(z.array(z.string())),
  token_endpoint_auth_signing_alg_values_supported: z.nullish(z.array(z.string())),
});

/** RFC 6749 section 5.1. Some servers send the seconds as a string. */
export const TokenAnswer = z.looseObject({
  access_token: z.string().check(z.minLength(1)),
  token_type: z.string().check(z.regex(/^bearer$/i)),
  expires_in: z.nullish(z.coerce.number().check(z.gte(0))),
});

/** The answer's body if it is JSON of this shape. */
export function bodyAs<S extends z.ZodMiniType>(schema: S, response: OutboundResponse): z.output<S> | undefined {
  try {
    const parsed = z.safeParse(schema, response.json());
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}
