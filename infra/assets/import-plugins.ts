import { readFileSync } from "node:fs";
import path from "node:path";
import type { Plugin } from "esbuild";

/**
 * For one file, in which `import()` could load nothing later: it is read as a static import, because esbuild leaves out nothing of what
 * `import()` names.
 */
export const importsAtStart: Plugin = {
  name: "imports-at-start",
  setup(on) {
    on.onLoad({ filter: /\/(?:packages|functions)\/.*\.ts$/ }, ({ path: file }) => {
      const source = readFileSync(file, "utf8");
      const modules: string[] = [];
      const contents = source.replace(/(?<!typeof )(await )?import\(("[^"]+")\)/g, (_, awaited: string | undefined, module: string) => {
        const name = `later${modules.push(module)}`;
        return awaited ? name : `Promise.resolve(${name})`;
      });
      if (modules.length === 0) return undefined;
      // In one line, so that errors name the right one.
      const imports = modules.map((module, at) => `import * as later${at + 1} from ${module};`);
      return { contents: [...imports, contents].join(" "), loader: "ts" };
    });
  },
};

/**
 * Puts all that the handler loads at the start into one file: esbuild puts modules into one file when the same entry points load them, so
 * all that `import()` loads is made to load the handler too, which is loaded by then.
 */
export const startInOneFile = (handler: string): Plugin => {
  const [resolved, later] = ["resolved", "later"];
  return {
    name: "start-in-one-file",
    setup(on) {
      on.onResolve({ filter: /./ }, async ({ path: asked, kind, importer, resolveDir, pluginData }) => {
        if (kind !== "dynamic-import" || pluginData === resolved) return undefined;
        const found = await on.resolve(asked, { kind, importer, resolveDir, pluginData: resolved });
        return found.external || found.errors.length > 0 ? found : { path: found.path, namespace: later };
      });
      on.onLoad({ filter: /./, namespace: later }, ({ path: file }) => ({
        contents: [`import ${JSON.stringify(handler)};`, `export * from ${JSON.stringify(file)};`].join("\n"),
        resolveDir: path.dirname(file),
      }));
      // Without this esbuild leaves out the import of a module without side effects.
      on.onResolve({ filter: /./, namespace: later }, ({ path: file }) =>
        file === handler ? { path: file, sideEffects: true } : undefined,
      );
    },
  };
};
