import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { takeDataFolder } from "./data-folder.ts";
import { digestInputs } from "./prepare.ts";
import { choosePorts, readSettings } from "./settings.ts";

const folder = mkdtempSync(path.join(tmpdir(), "supervisor-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const inside = (name: string): string => path.join(folder, name);

describe("the command's settings", () => {
  test("have usual values, and take those of the environment and the flags", () => {
    const usual = { port: 8080, dataDir: path.resolve(".local"), egress: [], reset: false, empty: false, history: true };
    expect(readSettings([], {})).toEqual(usual);
    expect(readSettings(["--no-history"], {})).toEqual({ ...usual, history: false });
    const env = { PORT: "9000", VITALINE_DATA: "/tmp/data", VITALINE_EGRESS: "http://127.0.0.1:9, http://localhost:8" };
    expect(readSettings(["--reset", "--empty"], env)).toEqual({
      port: 9000,
      dataDir: "/tmp/data",
      egress: ["http://127.0.0.1:9", "http://localhost:8"],
      reset: true,
      empty: true,
      history: true,
    });
  });

  test.each([
    ["PORT", "web", "PORT must be a number"],
    ["PORT", "65533", "PORT must be a number"],
    ["VITALINE_EGRESS", "https://ehr.example.org", "not a loopback origin"],
    ["VITALINE_EGRESS", "http://127.0.0.1:9/fhir", "not a loopback origin"],
  ])("%s=%s is refused with a sentence", (name, value, sentence) => {
    expect(() => readSettings([], { [name]: value })).toThrow(sentence);
  });

  test("an unknown flag shows how the command is used", () => {
    expect(() => readSettings(["--rest"], {})).toThrow("npm start -- [--reset] [--empty]");
  });
});

describe("ports", () => {
  test("are named when taken, each of the four", async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
    const { port } = taken.address() as AddressInfo;
    for (const first of [port, port - 1, port - 2, port - 3])
      await expect(choosePorts(first)).rejects.toThrow(/^Port \d+ is in use\. Stop what uses it/);
    taken.close();
  });
});

describe("the data folder", () => {
  test("belongs to one platform at a time, and to the next one once released", async () => {
    const dataDir = inside("shared");
    const first = await takeDataFolder(dataDir, false);
    await expect(takeDataFolder(dataDir, true)).rejects.toThrow("is in use by another running platform");
    await first.release();
    await (await takeDataFolder(dataDir, false)).release();
  });

  test("is free again after its owner was killed", async () => {
    const dataDir = inside("killed");
    const script = `const { takeDataFolder } = await import(${JSON.stringify(path.join(import.meta.dirname, "data-folder.ts"))});
      await takeDataFolder(${JSON.stringify(dataDir)}, false); console.log("taken"); setInterval(() => {}, 1000);`;
    const owner = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: ["ignore", "pipe", "inherit"] });
    await new Promise((resolve) => owner.stdout.once("data", resolve));
    await expect(takeDataFolder(dataDir, false)).rejects.toThrow("in use");
    owner.kill("SIGKILL");
    await new Promise((resolve) => owner.once("exit", resolve));
    await (await takeDataFolder(dataDir, false)).release();
  });

  test("gets mode 0700, and a reset deletes only the platform's files", async () => {
    const dataDir = inside("reset");
    mkdirSync(dataDir, { mode: 0o755 });
    await (await takeDataFolder(dataDir, false)).release();
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
    mkdirSync(path.join(dataDir, "dynamodb"));
    for (const name of ["dynamodb/CURRENT", "demo.json", "concurrency.json", "keys.json.12.tmp", "letter.txt"])
      writeFileSync(path.join(dataDir, name), "");
    await (await takeDataFolder(dataDir, true)).release();
    expect(readdirSync(dataDir)).toEqual([".vitaline", "letter.txt"]);
  });

  test.each([false, true])("with other files is refused with a sentence and not changed (reset: %s)", async (reset) => {
    const dataDir = inside(`theirs-${reset}`);
    mkdirSync(path.join(dataDir, "logs"), { recursive: true, mode: 0o755 });
    writeFileSync(path.join(dataDir, "demo.json"), "theirs");
    await expect(takeDataFolder(dataDir, reset)).rejects.toThrow(
      /^The data folder \S+ contains other files, which were not changed: set VITALINE_DATA to an empty or a new folder\.$/,
    );
    expect(readdirSync(dataDir)).toEqual(["demo.json", "logs"]);
    expect(readFileSync(path.join(dataDir, "demo.json"), "utf8")).toBe("theirs");
    expect(statSync(dataDir).mode & 0o777).toBe(0o755);
  });

  test.each(["dynamodb/CURRENT", "ehr/resources.jsonl", "demo-state.json"])("of an earlier version is known by its %s", async (sign) => {
    const dataDir = inside(`earlier-${path.basename(sign)}`);
    mkdirSync(path.dirname(path.join(dataDir, sign)), { recursive: true });
    writeFileSync(path.join(dataDir, sign), "");
    await (await takeDataFolder(dataDir, false)).release();
    expect(existsSync(path.join(dataDir, sign))).toBe(true);
    await (await takeDataFolder(dataDir, true)).release();
    expect(readdirSync(dataDir)).toEqual([".vitaline"]);
  });

  test("that is a file is refused with a sentence", async () => {
    writeFileSync(inside("file"), "");
    await expect(takeDataFolder(inside("file"), false)).rejects.toThrow(
      /^The data folder .*file cannot be used \(EEXIST\): make it a folder/,
    );
  });
});

describe("the digest of inputs", () => {
  test("changes with a source or a setting, and not with tests, outputs or dates", () => {
    mkdirSync(inside("project/src/node_modules"), { recursive: true });
    const write = (name: string, text: string): void => writeFileSync(inside(`project/src/${name}`), text);
    const digest = (setting = ""): string => digestInputs(inside("project"), ["src", "absent"], setting);
    write("a.ts", "1");
    const before = digest();
    write("a.ts", "1");
    write("a.test.ts", "2");
    write("node_modules/b.ts", "3");
    expect(digest()).toBe(before);
    expect(digest("other")).not.toBe(before);
    write("c.ts", "");
    expect(digest()).not.toBe(before);
  });
});

describe("npm start", () => {
  const start = (env: NodeJS.ProcessEnv, args: string[] = []): Promise<{ code: number | null; said: string }> =>
    new Promise((resolve) => {
      const child = spawn(process.execPath, [path.join(import.meta.dirname, "../start.ts"), ...args], { env: { ...process.env, ...env } });
      let said = "";
      child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
      child.once("close", (code) => resolve({ code, said: said.trim() }));
    });

  test("reports a taken port in one sentence and exits with 1", async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
    const { port } = taken.address() as AddressInfo;
    const { code, said } = await start({ PORT: String(port - 1), VITALINE_DATA: inside("never") });
    taken.close();
    expect(code).toBe(1);
    expect(said).toMatch(
      new RegExp(
        `^Port (${port}|${port - 1}) is in use\\. Stop what uses it, or choose other ports: PORT=\\d+ npm start takes \\d+ to \\d+\\.$`,
      ),
    );
  });

  test("reports a data folder with other files in one sentence and exits with 1", async () => {
    mkdirSync(inside("letters"));
    writeFileSync(inside("letters/letter.txt"), "");
    const { code, said } = await start({ PORT: "0", VITALINE_DATA: inside("letters") }, ["--reset"]);
    expect(code).toBe(1);
    expect(said).toMatch(/^The data folder \S+ contains other files, [^\n]+\.$/);
  });

  test("reports an unusable data folder in one sentence and exits with 1", async () => {
    writeFileSync(inside("no-folder"), "");
    const { code, said } = await start({ PORT: "0", VITALINE_DATA: inside("no-folder") });
    expect(code).toBe(1);
    expect(said).toMatch(/^The data folder \S+ cannot be used \(EEXIST\): [^\n]+\.$/);
  });
});
