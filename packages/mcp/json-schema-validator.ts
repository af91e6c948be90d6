/** Bundles have this instead of the MCP SDK's default, Ajv: the SDK checks only answers to questions to a user, which we ask none. */
export class DefaultJsonSchemaValidator {
  getValidator(): never {
    throw new Error("This server asks a user nothing, so it has no validator for answers.");
  }
}
