import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import type { CloudOptions } from "../../packages/local-cloud/cloud.ts";

type Prepare = NonNullable<CloudOptions["prepareFunction"]>;

/** Functions of the platform that can be made to fail, and invocations that last until they are released. */
export type Breakable = {
  prepare: Prepare;
  /** Every invocation of the function fails meanwhile. */
  whileBroken<T>(functionName: string, work: () => Promise<T>): Promise<T>;
  /** The event of an invocation that waits. */
  held(): { event: object; started(): Promise<void>; release(): void };
};

const wrapper = (bundle: string, broken: string): string => `import { existsSync, writeFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { handler as real } from ${JSON.stringify(pathToFileURL(bundle).href)};
export const handler = async (event, context) => {
  if (existsSync(${JSON.stringify(broken)})) throw new Error("broken by the drill");
  if (!event?.heldBy) return real(event, context);
  writeFileSync(event.heldBy + ".started", "");
  while (existsSync(event.heldBy)) await setTimeout(5);
};
`;

export function breakableFunctions(folder: string): Breakable {
  const brokenFile = (name: string): string => path.join(folder, `${name}.broken`);
  let holds = 0;
  return {
    prepare(spec) {
      const codeDir = path.join(folder, spec.name);
      mkdirSync(codeDir, { recursive: true });
      const bundle = path.join(spec.codeDir, `${spec.module}.mjs`);
      writeFileSync(path.join(codeDir, `${spec.module}.mjs`), wrapper(bundle, brokenFile(spec.name)));
      return { ...spec, codeDir };
    },
    async whileBroken(name, work) {
      writeFileSync(brokenFile(name), "");
      try {
        return await work();
      } finally {
        rmSync(brokenFile(name));
      }
    },
    held() {
      const file = path.join(folder, `hold-${holds++}`);
      writeFileSync(file, "");
      return {
        event: { heldBy: file },
        async started() {
          while (!existsSync(`${file}.started`)) await sleep(5);
        },
        release: () => rmSync(file),
      };
    },
  };
}
