import { contract } from "@vitaline/contract";
import { people } from "../lib/people.ts";
import { serve } from "../lib/serve.ts";
import { erasureVerbs } from "./erasures.ts";
import { keptEventVerbs } from "./kept-events.ts";
import { officeVerbs } from "./offices.ts";
import { tenantVerbs } from "./tenants.ts";
import { userVerbs } from "./users.ts";

export const handler = serve(contract.admin, people)({ ...userVerbs, ...tenantVerbs, ...officeVerbs, ...keptEventVerbs, ...erasureVerbs });
