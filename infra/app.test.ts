import { execFile } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { nextSteps } from "./cli.ts";
import { readSite } from "./assets/site.ts";
import { cdkJson, fixtureProject, repository } from "./test.fixture.ts";

const run = promisify(execFile);
const app = path.join(repository, "infra", "app.ts");
/** No credentials and no other variables of this machine. */
const bareEnvironment = { PATH: process.env["PATH"], HOME: "/nonexistent", CDK_DISABLE_CLI_TELEMETRY: "true" };

let project: ReturnType<typeof fixtureProject>;
beforeEach(() => {
  project = fixtureProject();
  writeFileSync(path.join(project.folder, "cdk.json"), JSON.stringify({ ...cdkJson(), app: `${process.execPath} ${app}` }));
});
afterEach(() => project.remove());

const directly = async (stage: string, outdir: string): Promise<number> => {
  const started = performance.now();
  await run(process.execPath, [app], {
    cwd: project.folder,
    env: { ...bareEnvironment, CDK_OUTDIR: outdir, CDK_CONTEXT_JSON: JSON.stringify({ stage }) },
  });
  return Math.round(performance.now() - started);
};

const templatesIn = (folder: string): Record<string, unknown> =>
  Object.fromEntries(
    readdirSync(folder)
      .filter((name) => name.endsWith(".template.json"))
      .sort()
      .map((name) => [name, JSON.parse(readFileSync(path.join(folder, name), "utf8")) as unknown]),
  );

describe("the app", () => {
  test("gives the same templates run directly and by the CDK's own command, without credentials", async () => {
    const [direct, byCdk] = [path.join(project.folder, "direct"), path.join(project.folder, "by-cdk")];
    const ms = await directly("local", direct);
    process.stdout.write(`local assembly, bundles included: ${ms} ms\n`);
    await run(
      process.execPath,
      [
        path.join(repository, "node_modules/aws-cdk/bin/cdk"),
        "synth",
        "--quiet",
        "--no-lookups",
        "--output",
        byCdk,
        "--context",
        "stage=local",
      ],
      { cwd: project.folder, env: bareEnvironment },
    );
    expect(Object.keys(templatesIn(direct))).toEqual(
      ["api", "data", "events", "monitoring", "routes", "web"].map((name) => `vitaline-local-${name}.template.json`),
    );
    expect(templatesIn(byCdk)).toEqual(templatesIn(direct));
  });

  test("npm run synth writes the templates of a stage, without credentials", async () => {
    const out = path.join(project.folder, "synthesized");
    const { stdout } = await run(process.execPath, [path.join(repository, "infra/cli.ts"), "synth", "--stage", "local", "--output", out], {
      cwd: project.folder,
      env: bareEnvironment,
    });
    expect(stdout).toContain("The templates of the stage local");
    expect(Object.keys(templatesIn(out))).toHaveLength(6);
  });

  test("names in one sentence a missing setting, handler or site", async () => {
    const failure = async (stage: string) =>
      directly(stage, path.join(project.folder, "out")).then(String, ({ stderr }: { stderr: string }) => stderr.trim());
    expect(await failure("production")).toMatch(/^The stage production cannot be synthesized without account, .*cdk\.json.*$/);
    rmSync(path.join(project.folder, "functions", "voice"), { recursive: true });
    expect(await failure("local")).toBe("Every function needs its handler; missing: functions/voice/handler.ts.");
    rmSync(path.join(project.folder, "web", "dist"), { recursive: true });
    expect(await failure("local")).toMatch(/^The site is not built: web\/dist holds no csp-hashes\.json\. Build the site with .*$/);
  });
});

describe("the site", () => {
  test("is refused when it does not match the web app's paths, or adds anything but hashes to the policy", () => {
    expect(readSite(project.folder).files).toEqual(["/favicon.svg"]);
    writeFileSync(path.join(project.folder, "web/dist/csp-hashes.json"), JSON.stringify({ styles: ["'unsafe-inline'"], scripts: [] }));
    expect(() => readSite(project.folder)).toThrow("CSP hash");
    const paths = path.join(project.folder, "web/src/app/paths.json");
    const known = readFileSync(paths, "utf8");
    for (const unknown of ["/users/:id/calls", "users", "/users*", "/a//b"]) {
      writeFileSync(paths, JSON.stringify([{ path: unknown, file: "/app.html" }]));
      expect(() => readSite(project.folder), unknown).toThrow("path");
    }
    writeFileSync(paths, known);
    rmSync(path.join(project.folder, "web/dist/app.html"));
    expect(() => readSite(project.folder)).toThrow("it lacks /app.html");
  });
});

test("a deployment prints its address and the command that creates the first administrator", () => {
  const outputs = {
    "vitaline-demo-data": { TableName: "vitaline-demo-data-Table" },
    "vitaline-demo-web": { Url: "https://d1.cloudfront.net" },
  };
  expect(nextSteps("demo", outputs)).toContain("https://d1.cloudfront.net\n");
  expect(nextSteps("demo", outputs)).toContain(
    "npm run admin -- create --email you@example.org --table vitaline-demo-data-Table --region us-east-1",
  );
  expect(nextSteps("demo", outputs)).toContain("npm run preflight -- --stage demo\n");
  expect(() => nextSteps("demo", {})).toThrow("named no address");
});
