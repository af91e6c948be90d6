import { contract } from "@vitaline/contract";
import { people } from "../lib/people.ts";
import { serve } from "../lib/serve.ts";
import { exportVerbs } from "./exports.ts";

export const handler = serve(contract.exports, people)(exportVerbs);
