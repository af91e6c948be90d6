import { parseArgs } from "node:util";
import { startSandboxEhr } from "./start.ts";

const { values } = parseArgs({
  options: {
    port: { type: "string", default: "9090" },
    data: { type: "string" },
    jwks: { type: "string", default: "http://localhost:8080/.well-known/jwks.json" },
  },
});
const sandbox = await startSandboxEhr({ port: Number(values.port), jwksUrl: values.jwks, ...(values.data && { dataDir: values.data }) });
process.stdout.write(`Sandbox EHR on ${sandbox.origin}\n`);
