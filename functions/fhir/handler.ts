import { contract } from "@vitaline/contract";
import { reachingOut } from "../lib/ehr.ts";
import { people } from "../lib/people.ts";
import { serve } from "../lib/serve.ts";
import { fhirProviderVerbs } from "./providers.ts";
import { tenantFhirProviderVerbs } from "./tenant-providers.ts";

export const handler = reachingOut(serve(contract.fhir, people)({ ...fhirProviderVerbs, ...tenantFhirProviderVerbs }));
