import react from "@vitejs/plugin-react";
import { build, type Plugin, type Rolldown } from "vite";

/**
 * Modules without side effects: a page keeps only the parts that it uses. The contract is tables and schemas; Emotion brings the
 * others for a wrapper that is never used here.
 */
const isPure = /\/(packages\/contract|hoist-non-react-statics|react-is|_isolated-hnrs)\//;
const treeshake = { moduleSideEffects: (id: string) => !isPure.test(id) };

/** The pages and panels that load a module, by the module's id. */
type Users = Map<string, Set<string>>;

/** From a build in memory without merged chunks: the graph of imports does not know what is left out. */
async function usersOfModules(root: string): Promise<{ users: Users; facades: Set<string> }> {
  const { output } = (await build({
    root,
    configFile: false,
    logLevel: "warn",
    plugins: [react()],
    build: { write: false, rolldownOptions: { treeshake, experimental: { chunkOptimization: false } } },
  })) as Rolldown.RolldownOutput;
  const chunks = new Map(output.flatMap((file) => (file.type === "chunk" ? [[file.fileName, file] as const] : [])));
  const users: Users = new Map();
  const facades = new Set<string>();
  for (const { fileName, facadeModuleId: user } of chunks.values()) {
    if (user === null) continue;
    facades.add(user);
    const loaded = new Set([fileName]);
    for (const name of loaded) {
      const { modules, imports } = chunks.get(name)!;
      for (const id of Object.keys(modules)) users.set(id, (users.get(id) ?? new Set()).add(user));
      for (const imported of imports) loaded.add(imported);
    }
  }
  return { users, facades };
}

const publicParts = /\/src\/(app\/public-layout|features\/(site|docs|sessions|accounts\/(forgot|mailed))[\w/-]*)\.tsx$/;
const formPages = /\/(login|forgot-password|mailed-link|contact)-page\.tsx$/;

const layouts = ["/app-layout.tsx", "/public-layout.tsx", "/landing-page.tsx"];
const dashboards = ["/tenant-dashboard-page.tsx", "/admin-dashboard-page.tsx"];
/** A page that has moved would silently be grouped as another one. */
function assertKnown(facades: ReadonlySet<string>): void {
  const missing = ["/index.html", ...layouts, ...dashboards].filter((file) => ![...facades].some((one) => one.endsWith(file)));
  if (missing.length > 0) throw new Error(`The build has no chunk of ${missing.join(", ")}: web/chunks.ts names them.`);
}

/** The shared chunk of a module with these users. Undefined: the bundler decides. */
function chunkOf(users: readonly string[]): string | undefined {
  const uses = (...files: string[]) => users.some((user) => files.some((file) => user.endsWith(file)));
  if (users.length < 2) return undefined;
  if (uses("/index.html")) return "core";
  const isOfApp = uses("/app-layout.tsx");
  const isOfDashboards = uses(...dashboards);
  const open = users.filter((user) => publicParts.test(user));
  if (open.length === 0) return isOfApp ? "shell" : isOfDashboards ? "dashboards" : users.length < 3 ? undefined : "panels";
  if (uses("/public-layout.tsx", "/landing-page.tsx")) return isOfApp || users.length > 40 ? "parts" : undefined;
  if (!isOfApp && !isOfDashboards && open.every((user) => formPages.test(user))) return "forms";
  return users.length < 20 ? undefined : "common";
}

/** A few shared chunks by who uses a module. The bundler alone makes one for each set of users: hundreds, most under 1 KB. */
export const chunks = (): Plugin => ({
  name: "vitaline:chunks",
  apply: "build",
  async config({ root = process.cwd(), build: { ssr } = {} }) {
    if (ssr) return undefined;
    const { users, facades } = await usersOfModules(root);
    assertKnown(facades);
    const name = (id: string) => (facades.has(id) ? undefined : chunkOf([...(users.get(id) ?? [])]));
    return {
      build: {
        rolldownOptions: {
          treeshake,
          output: { codeSplitting: { includeDependenciesRecursively: false, groups: [{ name, debugName: "by who uses it" }] } },
        },
      },
    };
  },
});
