import { contract } from "@vitaline/contract";
import { reachingOut } from "../lib/ehr.ts";
import { people } from "../lib/people.ts";
import { serve } from "../lib/serve.ts";
import { assignmentVerbs } from "./assignments.ts";
import { tenantVerbs } from "./of-tenant.ts";
import { providerVerbs } from "./providers.ts";

export const handler = reachingOut(serve(contract.agents, people)({ ...providerVerbs, ...assignmentVerbs, ...tenantVerbs }));
