type Route = { key: string; functionArn: string };
export type Match = { route: Route; pathParameters?: Record<string, string> };
type Router = (method: string, decodedPath: string) => Match | undefined;

type Segment = { kind: "text" | "variable" | "greedy"; name: string };
type Pattern = { route: Route; method: string; segments: Segment[]; rank: string };

const kindRank = { text: "0", variable: "1", greedy: "2" };

/**
 * Full paths before greedy ones, literal segments before variables, a method before ANY, `$default` last. Source: "Routing API requests"
 * in the API Gateway Developer Guide.
 */
export function createRouter(routes: Route[]): Router {
  const patterns = routes
    .filter(({ key }) => key !== "$default")
    .map(parse)
    .sort((a, b) => (a.rank < b.rank ? -1 : 1));
  const fallback = routes.find(({ key }) => key === "$default");
  return (method, decodedPath) => {
    const parts = decodedPath.split("/").slice(1);
    for (const { route, method: wanted, segments } of patterns) {
      if (wanted !== "ANY" && wanted !== method) continue;
      const pathParameters = match(segments, parts);
      if (pathParameters) return { route, pathParameters: Object.keys(pathParameters).length > 0 ? pathParameters : undefined };
    }
    return fallback && { route: fallback };
  };
}

function parse(route: Route): Pattern {
  const [method = "", path = ""] = route.key.split(" ");
  const segments = path.split("/").slice(1).map(segmentOf);
  const greedy = segments.some(({ kind }) => kind === "greedy");
  const rank = [greedy ? "1" : "0", ...segments.map(({ kind }) => kindRank[kind]), method === "ANY" ? "1" : "0"].join("");
  return { route, method, segments, rank };
}

function segmentOf(text: string): Segment {
  const [, name, plus] = /^\{([^}+]+)(\+?)\}$/.exec(text) ?? [];
  return name === undefined ? { kind: "text", name: text } : { kind: plus ? "greedy" : "variable", name };
}

function match(segments: Segment[], parts: string[]): Record<string, string> | undefined {
  const found: Record<string, string> = {};
  for (const [index, { kind, name }] of segments.entries()) {
    const part = parts[index];
    if (kind === "greedy") {
      const rest = parts.slice(index).join("/");
      return rest ? { ...found, [name]: rest } : undefined;
    }
    if (part === undefined || (kind === "text" ? part !== name : part === "")) return undefined;
    if (kind === "variable") found[name] = part;
  }
  return parts.length === segments.length ? found : undefined;
}

export type Throttle = { requestsPerSecond: number; burst: number };

export function createThrottle({ requestsPerSecond, burst }: Throttle, nowMs: () => number = Date.now): () => boolean {
  let tokens = burst;
  let refilledAt = nowMs();
  return () => {
    const now = nowMs();
    tokens = Math.min(burst, tokens + ((now - refilledAt) / 1000) * requestsPerSecond);
    refilledAt = now;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}
