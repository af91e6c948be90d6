import { capabilityStatement, smartConfiguration } from "./capability.ts";
import type { Call, Reply } from "./http.ts";
import { create, read, update, type Server } from "./interactions.ts";
import { Refusal } from "./refusal.ts";
import { isResourceType } from "./resource.ts";
import { allows, type Interaction } from "./scopes.ts";
import { createSearch } from "./search.ts";
import type { TokenEndpoint } from "./token.ts";

export type R4Options = Server & {
  tokenUrl: string;
  /** Whoever shows no token at all may read and search, so that people can look at what a call has left. A wrong token stays refused. */
  openReads?: boolean;
};

const readOnly = ["system/*.rs"];

/** Answers everything under /r4. */
export function createR4({ tokenUrl, openReads = false, ...server }: R4Options, tokens: TokenEndpoint): (call: Call) => Promise<Reply> {
  const search = createSearch(server.store, server.baseUrl);
  const statement = capabilityStatement(server.baseUrl, tokenUrl, server.now());

  return async (call) => {
    const [type = "", id, ...rest] = call.path.split("/").slice(2);
    const address = [type, id, ...rest].join("/");
    if (call.method === "GET" && type === "metadata") return { status: 200, body: statement };
    if (call.method === "GET" && address === ".well-known/smart-configuration") {
      return { status: 200, headers: { "Content-Type": "application/json" }, body: smartConfiguration(tokenUrl) };
    }

    const looking = openReads && call.method === "GET" && call.headers.authorization === undefined;
    const scopes = looking ? readOnly : tokens.authorize(call.headers.authorization);
    if (!isResourceType(type)) throw new Refusal(404, "not-supported", "This server has no such resource type");
    if (rest.length > 0) throw new Refusal(404, "not-supported", "This server has no such address");
    const permit = (interaction: Interaction) => {
      if (!allows(scopes, type, interaction)) throw new Refusal(403, "forbidden", `The token does not allow to ${interaction} ${type}`);
    };

    if (call.method === "GET" && id === undefined) return (permit("search"), { status: 200, body: search.run(type, call.query) });
    if (call.method === "POST" && id === "_search") return (permit("search"), { status: 200, body: search.run(type, searchForm(call)) });
    if (call.method === "POST" && id === undefined) return (permit("create"), create(server, type, call));
    if (call.method === "GET" && id !== undefined) return (permit("read"), read(server, type, id));
    if (call.method === "PUT" && id !== undefined) return (permit("update"), update(server, type, id, call));
    throw new Refusal(405, "not-supported", "This server does not support this interaction");
  };
}

/** The query string of a POST search does not count: everything is in the body. */
function searchForm(call: Call): URLSearchParams {
  if (!/^application\/x-www-form-urlencoded\b/i.test(call.headers["content-type"] ?? ""))
    throw new Refusal(415, "not-supported", "A POST search takes a form");
  return new URLSearchParams(call.body);
}
