import { spawnSync } from "node:child_process";
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { allRoutes } from "@vitaline/contract";
import { afterAll, describe, expect, test } from "vitest";
import config from "../../vitest.config.ts";
import { banned, refusal } from "../lint/plain-words.ts";
import { anyKnowsOption, knowsOption, npmCommandsIn, runners, scripts, untested } from "./commands.ts";
import { anchorsOf, codeIn, expandBraces, files, pages, type Page } from "./pages.ts";

const folder = mkdtempSync(path.join(tmpdir(), "vitaline-manual-"));
afterAll(() => rmSync(folder, { recursive: true }));

const onPages = (find: (page: Page) => string[]): string[] =>
  pages.flatMap((page) => find(page).map((finding) => `${page.file}: ${finding}`));

describe("commands", () => {
  const readmes = pages.filter(({ file }) => path.basename(file) === "README.md");

  test("each npm command on a page is a script of package.json, with options that it has", () => {
    const wrong = ({ script, options }: ReturnType<typeof npmCommandsIn>[number]): string[] => [
      ...(scripts.includes(script) ? [] : [`npm run ${script} does not exist`]),
      ...options.filter((option) => !knowsOption(script, option)).map((option) => `npm run ${script} has no --${option}`),
    ];
    expect(onPages((page) => codeIn(page).flatMap(npmCommandsIn).flatMap(wrong))).toEqual([]);
  });

  test("an option shown without its command is an option of one of them", () => {
    const optionsIn = (code: string): string[] =>
      /^(-- )?--/.test(code) ? [...code.matchAll(/--([a-z][\w-]*)(?![\w.])/g)].map(([, name = ""]) => name) : [];
    const ofVitest = new Set(["sequence"]);
    const unknown = (option: string) => !ofVitest.has(option) && option !== "help" && !anyKnowsOption(option);
    expect(onPages((page) => codeIn(page).flatMap(optionsIn).filter(unknown))).toEqual([]);
  });

  test("each script of package.json is in a README", () => {
    const named = new Set(readmes.flatMap((page) => codeIn(page).flatMap(npmCommandsIn)).map(({ script }) => script));
    expect(scripts.filter((script) => !named.has(script))).toEqual([]);
  });

  test("each vitest command names a project, and a path with tests of it", () => {
    const projects = new Map(
      (config.test?.projects ?? []).map((project) => {
        const { name = "", include = [] } = (project as { test: { name?: string; include?: string[] } }).test;
        return [name, include];
      }),
    );
    const wrong = (code: string): string[] =>
      [...code.matchAll(/vitest run --project ([a-z-]+)((?: [\w./-]+)*)/g)].flatMap(([, name = "", paths = ""]) => {
        const include = projects.get(name);
        if (!include) return [`there is no project ${name}`];
        const tests = files.filter((file) => include.some((glob) => path.matchesGlob(file, glob)));
        return paths
          .split(" ")
          .filter((part) => part && !tests.some((file) => file.includes(part)))
          .map((part) => `${name} has no tests in ${part}`);
      });
    expect(onPages((page) => codeIn(page).flatMap(wrong))).toEqual([]);
  });

  test("each file that node is told to run exists", () => {
    const missing = (code: string): string[] => {
      const [, base = "."] = /^cd ([\w/-]+) &&/.exec(code) ?? [];
      return [...code.matchAll(/\bnode ([\w./-]+\.ts)/g)].flatMap(([, file = ""]) => (existsSync(path.join(base, file)) ? [] : [file]));
    };
    expect(onPages((page) => codeIn(page).flatMap(missing))).toEqual([]);
  });

  test("each command has a test that runs it, or a reason why not", () => {
    expect([...Object.keys(runners), ...Object.keys(untested)].toSorted()).toEqual(scripts.toSorted());
    const lost = Object.entries(runners).filter(
      ([, { test: file, names }]) => !existsSync(file) || !readFileSync(file, "utf8").includes(names),
    );
    expect(lost).toEqual([]);
  });

  test("npm run format formats", () => {
    const file = path.join(folder, "a.ts");
    writeFileSync(file, "export   const a=1");
    expect(spawnSync("node_modules/.bin/oxfmt", [file]).status).toBe(0);
    expect(readFileSync(file, "utf8")).toBe("export const a = 1;\n");
  });

  test("npm run openapi writes the document that is in the repository", () => {
    const file = path.join(folder, "openapi.json");
    expect(spawnSync(process.execPath, ["packages/contract/print-openapi.ts", file]).status).toBe(0);
    expect(readFileSync(file, "utf8")).toBe(readFileSync("packages/contract/openapi.json", "utf8"));
  });
});

describe("paths", () => {
  const generated = ["build", "cdk.out", ".local", "node_modules"];
  const folders = new Set(files.flatMap((file) => file.split("/").map((_, at, parts) => parts.slice(0, at).join("/"))));
  const known = new Set([...files, ...folders]);
  const top = new Set([...known].filter((file) => file && !file.includes("/")));
  const isFile = (text: string) => /^[\w@.<>*{},/-]+\.(ts|tsx|md|json|tsv|yml)$/.test(text);

  /** A path of the repository, of the page's folder, or a file's name alone. "<name>" is any name. */
  const exists = (text: string, page: Page): boolean =>
    expandBraces(text.replace(/\/$/, "").replaceAll(/<\w+>/g, "*")).every((one) => {
      const inFolder = path.posix.join(path.posix.dirname(page.file), one);
      if (one.includes("*")) {
        const glob = one.includes("/") ? one : `**/${one}`;
        return files.some((file) => path.matchesGlob(file, glob)) || globSync(one).length > 0;
      }
      return (
        known.has(one) ||
        known.has(inFolder) ||
        known.has(`functions/${one}`) ||
        (!one.includes("/") && files.some((file) => file.endsWith(`/${one}`)))
      );
    });
  const isPath = (text: string): boolean => {
    if (/\s|^[/@]|:\/\//.test(text)) return false;
    const [first = ""] = text.split("/");
    if (generated.includes(first)) return false;
    return (text.includes("/") && (top.has(first) || first === "events")) || isFile(text);
  };

  test("each path of the repository exists", () => {
    expect(onPages((page) => codeIn(page).filter((text) => isPath(text) && !exists(text, page)))).toEqual([]);
  });

  test("each relative link leads to a file and a heading", () => {
    const broken = (page: Page): string[] =>
      [...page.text.matchAll(/\]\(([^)\s]+)\)/g)]
        .map(([, target = ""]) => target)
        .filter((target) => !/^[a-z]+:/.test(target))
        .filter((target) => {
          const [file = "", anchor] = target.split("#");
          const linked = file === "" ? page.file : path.posix.join(path.posix.dirname(page.file), file);
          const headings = anchor === undefined ? undefined : pages.find((one) => one.file === linked);
          return !known.has(linked) || (anchor !== undefined && !(headings && anchorsOf(headings).includes(anchor)));
        });
    expect(onPages(broken)).toEqual([]);
  });

  test("each route is one of the contract", () => {
    const asSegments = (route: string) =>
      route
        .split("?")[0]!
        .split("/")
        .map((part) => (/^\{.*\}$|^[A-Z]+$/.test(part) ? "*" : part))
        .join("/");
    const routes = new Map<string, string[]>();
    for (const { route } of allRoutes()) routes.set(asSegments(route.path), [...(routes.get(asSegments(route.path)) ?? []), route.method]);
    const unknown = (code: string): string[] => {
      const [, method, given = ""] = /^(?:(GET|POST|PUT|PATCH|DELETE) )?(\/(?:api|\.well-known)\/\S*)$/.exec(code) ?? [];
      if (!given) return [];
      const [, before = given, optional] = /^(.*)\[(.*)\]$/.exec(given) ?? [];
      return (optional === undefined ? [given] : [before, before + optional]).filter((one) => {
        const methods = routes.get(asSegments(one));
        return !methods || (method !== undefined && !methods.includes(method));
      });
    };
    expect(onPages((page) => codeIn(page).flatMap(unknown))).toEqual([]);
  });
});

test("the README has at most 150 lines", () => {
  expect(pages.find(({ file }) => file === "README.md")?.text.split("\n").length).toBeLessThanOrEqual(151);
});

test("the pages keep to plain words; only the list itself shows the others", () => {
  const list = /^\| Avoid \| Say \|[^]*$/m;
  expect(
    onPages(({ text }) =>
      text
        .replace(list, "")
        .split("\n")
        .flatMap((line) => refusal(line, banned) ?? []),
    ),
  ).toEqual([]);
  const { text = "" } = pages.find(({ file }) => file === "packages/README.md") ?? {};
  const listed = list.exec(text)?.[0] ?? "";
  expect(banned.filter(([phrase]) => !phrase.test(listed)).map(String)).toEqual([]);
});

describe("lists", () => {
  const textOf = (file: string): string => pages.find((page) => page.file === file)?.text ?? "";
  const namesIn = (file: string, pattern: RegExp): string[] =>
    [...readFileSync(file, "utf8").matchAll(pattern)].map(([, name = ""]) => name);

  test("each setting of a stage and each alarm is in infra/README.md", () => {
    const settings = namesIn("infra/config/settings.ts", /^ {2}(\w+): z\n? *\.?/gm);
    expect(settings).toContain("throttling");
    const alarms = files
      .filter((file) => /^infra\/(constructs|stacks)\/[\w-]+\.ts$/.test(file) && !file.endsWith(".test.ts"))
      .flatMap((file) => namesIn(file, /alarmOn\(this, "(\w+)"/g));
    expect(alarms).toContain("ArchiveLag");
    const text = textOf("infra/README.md");
    expect(settings.filter((name) => !text.includes(`| \`${name}\` |`))).toEqual([]);
    expect(alarms.filter((name) => !text.includes(`| ${name} |`))).toEqual([]);
  });

  test("each package is in the glossary", () => {
    const text = textOf("packages/README.md");
    const packages = files.flatMap((file) => /^packages\/[\w-]+(?=\/package\.json$)/.exec(file)?.[0] ?? []);
    expect(packages.filter((name) => !text.includes(`\`${name}`))).toEqual([]);
  });

  test("each page of the site is in web/README.md", () => {
    const paths = namesIn("web/src/lib/routing/pages.ts", /\{ path: "(\/[^"]*)"/g);
    expect(paths).toContain("/pricing");
    expect(paths.filter((name) => !textOf("web/README.md").includes(`\`${name}\``))).toEqual([]);
  });
});
