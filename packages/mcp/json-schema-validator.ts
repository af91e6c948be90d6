/** Of the MCP SDK's two validators the small one: bundles replace its default, Ajv, by this module. */
export { CfWorkerJsonSchemaValidator as DefaultJsonSchemaValidator } from "@modelcontextprotocol/server/validators/cf-worker";
