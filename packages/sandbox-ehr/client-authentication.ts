import type { createAssertionCheck } from "./assertion.ts";
import { isSecretOf, type ClientKeys, type ClientRegistration } from "./client-keys.ts";
import type { Call } from "./http.ts";
import { invalidClient, TokenRefusal } from "./token-refusal.ts";

const jwtBearer = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

interface Authenticating {
  tokenUrl: string;
  keys: ClientKeys;
  algorithms: readonly string[];
  nowSeconds: number;
  checkAssertion: ReturnType<typeof createAssertionCheck>;
}

/** Who asks for a token, shown in exactly one way: private_key_jwt, client_secret_basic or client_secret_post; public clients only name themselves. */
export async function authenticateClient(call: Call, form: URLSearchParams, authenticating: Authenticating): Promise<ClientRegistration> {
  const { keys } = authenticating;
  const header = call.headers.authorization;
  const [assertionType, secret] = [form.get("client_assertion_type"), form.get("client_secret")];
  if ([header, assertionType, secret].filter((one) => one !== undefined && one !== null).length > 1)
    throw new TokenRefusal(400, "invalid_request", "A client shows who it is in one way");
  if (header !== undefined) return withSecret(keys, ...basicPair(header));
  if (secret !== null) return withSecret(keys, form.get("client_id") ?? "", secret);
  if (assertionType === jwtBearer) {
    const clientId = await authenticating.checkAssertion(form.get("client_assertion") ?? "", authenticating);
    return keys.get(clientId) ?? invalidClient("The client is not registered");
  }
  const client = assertionType === null ? keys.get(form.get("client_id") ?? "") : undefined;
  return client?.isPublic ? client : invalidClient("Clients authenticate by private_key_jwt, client_secret_basic or client_secret_post");
}

function withSecret(keys: ClientKeys, clientId: string, secret: string): ClientRegistration {
  const client = keys.get(clientId);
  return client && isSecretOf(client, secret) ? client : invalidClient("The client id or its secret is wrong");
}

/** RFC 6749 2.3.1: both parts are form-encoded before they are joined. */
function basicPair(header: string): [clientId: string, secret: string] {
  const [, encoded = ""] = /^basic (.+)$/i.exec(header) ?? invalidClient("The Authorization header must be Basic");
  const pair = Buffer.from(encoded, "base64").toString();
  const colon = pair.indexOf(":");
  const decode = (part: string) => new URLSearchParams(`_=${part}`).get("_") ?? "";
  return [decode(pair.slice(0, colon)), decode(pair.slice(colon + 1))];
}
