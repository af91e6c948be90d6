import { fireEvent, screen, within } from "@testing-library/react";
import { accounts, sessions, site, tools, type ContactForm, type StatusHistory } from "@vitaline/contract";
import { describe, expect, test, vi } from "vitest";
import paths from "../../../web/src/app/paths.json" with { type: "json" };
import { platforms } from "../../../web/src/features/docs/content/connect.ts";
import { pictures, pictureSize } from "../../../web/src/features/site/content/pictures.ts";
import written from "../../../web/src/features/docs/content/snippets.json" with { type: "json" };
import { demo, recordedAt } from "../../kit/screen/demo-answers.ts";
import { refusal, type FakeApi } from "../../kit/screen/fake-api.ts";
import { asSystem, asTenant, button, eventually, link, reads, region, settled, textOf, visit } from "../../kit/screen/visit.tsx";
import { proves } from "../../requirements/proves.ts";

const calendar = "https://cal.com/vitaline/demo/embed";
const promotion = { active: true, label: "For the first 100 MVP members", remaining: 37 };
/** An installation that its operator has set up in whole. */
const isSetUp = (api: FakeApi): void => {
  const config = demo("tenant_admin", site.publicConfig);
  api.on(site.publicConfig, () => ({ ...config, schedulingUrl: calendar, promotion }));
};
const open = (address: string, before: (api: FakeApi) => void = isSetUp) => visit(address, { before });

const place = (): string => `${location.pathname}${location.search}`;
const main = (): HTMLElement => screen.getByRole("main");
const heading = (): string => document.querySelector("h1")?.textContent ?? "";
const arrivesAt = (title: string): Promise<void> => eventually(() => expect(heading()).toBe(title));

type Page = {
  text: string;
  headings: string[];
  /** Sections and cards by their headings. */
  parts: Map<string, string>;
};
const pages = new Map<string, Promise<Page>>();
/** What a stranger reads at an address; opened once. */
const pageAt = (address: string): Promise<Page> => {
  const read = async (): Promise<Page> => {
    await open(address);
    const parts = [...within(main()).queryAllByRole("region"), ...within(main()).queryAllByRole("article")];
    return {
      text: textOf(main()),
      headings: within(main()).getAllByRole("heading").map(textOf),
      parts: new Map(parts.map((part) => [textOf(within(part).queryAllByRole("heading")[0] ?? part), textOf(part)])),
    };
  };
  const known = pages.get(address) ?? read();
  pages.set(address, known);
  return known;
};

describe("an address", () => {
  const own = paths.map((entry) => entry.path).filter((address) => address !== "/404.html" && !address.includes("{"));
  const isTenants = (address: string): boolean => address.startsWith("/tenant") || address === "/account";

  test.each(own)("%s shows its own page and stays as it was typed", async (address) => {
    const typed = `${address}?from=outside#part`;
    if (isTenants(address)) await asTenant(typed);
    else if (address === "/admin" || address === "/admin-dashboard") await asSystem(typed);
    else await visit(typed, { before: (api) => api.on(accounts.readInvitation, () => refusal(503)) });
    expect(heading()).not.toMatch(/Page Not Found/);
    expect(document.title).toMatch(/ · Vitaline$/);
    expect(`${place()}${location.hash}`).toBe(typed);
  });

  test.each(["/nowhere", "/tenant/nowhere", "/admin/users/42", "/login.php", "/assets"])(
    "%s that does not exist shows a page that leads home",
    async (address) => {
      const { user } = await visit(address);
      expect([heading(), document.title]).toEqual(["Page Not Found", "Page Not Found · Vitaline"]);
      expect(textOf(main())).toContain("Did you forget to add the page to the router?");
      expect(textOf(main())).toMatch(/^Page Not Found There is no page at this address\./);
      await user.click(link("Home", main()));
      await arrivesAt("Healthcare AI Voice Agent Platform");
    },
  );
});

describe("the open pages", () => {
  proves("D1.1-010", async () => {
    expect((await pageAt("/")).headings[0]).toBe("Healthcare AI Voice Agent Platform");
    expect((await pageAt("/pricing")).headings).toContain("Enterprise");
    expect((await pageAt("/contact")).headings[0]).toBe("Contact us");
  });
  proves("D1.2-001", async () => {
    const { text, headings } = await pageAt("/");
    expect(headings[0]).toBe("Healthcare AI Voice Agent Platform");
    expect(text).toMatch(/HIPAA.*EHR/);
  });
  proves("D1.2-002", async () => {
    await visit("/");
    const text = textOf(main());
    await visit("/healthcare");
    expect(textOf(main())).toBe(text);
    expect(text.length).toBeGreaterThan(1000);
  });
  proves("D1.2-003", async () => {
    const { text, headings } = await pageAt("/dashboard");
    expect(headings[0]).toBe("Dashboard");
    expect(text).toMatch(/Tenant login System admin login Platform status.*Healthy/);
  });
  proves("D1.2-008", async () => {
    const { text, headings } = await pageAt("/pricing");
    expect(headings).toEqual(expect.arrayContaining(["Light", "Core", "Enterprise"]));
    expect(text).toMatch(/per month/);
  });
  proves("D1.2-009", async () => {
    const { text, headings } = await pageAt("/contact");
    expect(headings[0]).toBe("Contact us");
    expect(text).toMatch(/Send message/);
  });
  proves("D1.2-010", async () => {
    const { text, headings } = await pageAt("/login");
    expect(headings[0]).toBe("Tenant Login");
    expect(text).toMatch(/Email.*Password/);
  });
  proves("D1.2-011", async () => {
    const { text, headings } = await pageAt("/admin-login");
    expect(headings[0]).toBe("System Admin Login");
    expect(text).toMatch(/Email.*Password/);
  });
  proves("D1.2-015", async () => {
    const { text, headings } = await pageAt("/admin/login");
    expect(headings[0]).toBe("System Admin Login");
    expect(text).toBe((await pageAt("/admin-login")).text);
  });
  proves("D1.2-017", async () => {
    for (const address of ["/admin/login", "/admin-login"]) {
      await open(address);
      expect(document.title).toBe("System Admin Login · Vitaline");
      expect(place()).toBe(address);
    }
  });
  proves("D1.2-032", async () => {
    const { user } = await open("/");
    const links = () => screen.getByRole("navigation", { name: "Main" });
    await user.click(within(links()).getAllByRole("link", { name: "Pricing" })[0]!);
    await arrivesAt("Pricing that follows your phone");
    expect(place()).toBe("/pricing");
    await user.click(within(links()).getAllByRole("link", { name: "Home" })[0]!);
    await arrivesAt("Healthcare AI Voice Agent Platform");
    expect(place()).toBe("/");
  });
  test("tell on the hub whether the platform is well, or does not answer", async () => {
    for (const [label, before] of [
      ["Warning", (api: FakeApi) => api.on(site.publicHealth, () => ({ status: "degraded" as const, time: recordedAt.toISOString() }))],
      ["Down", (api: FakeApi) => api.on(site.publicHealth, () => refusal(503))],
    ] as const) {
      await open("/dashboard", before);
      await eventually(() => expect(textOf(region("Platform status"))).toMatch(new RegExp(`^Platform status ${label} `)));
    }
  });
});

describe("the status page", () => {
  const days = [
    { date: "2026-05-01", probes: 288, successful: 288 },
    { date: "2026-05-02", probes: 288, successful: 144 },
  ];
  const history = (more: Partial<StatusHistory> = {}) => ({ uptime: 75, days, components: [], incidents: [], ...more });

  test("shows the days of the platform and of each component as bars, and tells in words on which days checks failed", async () => {
    const components = [
      { name: "API", days },
      { name: "Database", days: [days[1]!] },
      { name: "Encryption", days: [] },
    ];
    await open("/dashboard", (api) => api.on(site.statusHistory, () => history({ components })));
    await reads(() => region("Last 30 days"), /75% of the checks succeeded/);
    const told = (name: string) => textOf(within(region("Last 30 days")).getByRole("region", { name }));
    expect(told("All components")).toBe("All components 75% Days with failed checks: 2026-05-02: 50%.");
    expect(told("API")).toBe("API 75% Days with failed checks: 2026-05-02: 50%.");
    expect(told("Database")).toBe("Database 50% Days with failed checks: 2026-05-02: 50%. Not recorded for 1 of 2 days.");
    const bars = [...within(region("Last 30 days")).getByRole("region", { name: "Database" }).querySelectorAll("[title]")];
    expect(bars.map((bar) => bar.getAttribute("title"))).toEqual(["2026-05-01: not recorded", "2026-05-02: 50%"]);
    expect(screen.queryByRole("region", { name: "Encryption" })).toBeNull();
  });

  test("lists what failed from when to when, and what lasts", async () => {
    const incidents = [
      { component: "File storage", startedAt: "2026-05-02T10:05:00.000Z", endedAt: null },
      { component: null, startedAt: "2026-05-01T09:00:00.000Z", endedAt: "2026-05-01T09:20:00.000Z" },
    ];
    await open("/dashboard", (api) => api.on(site.statusHistory, () => history({ incidents })));
    await reads(
      () => region("Incidents"),
      /Incidents File storage: checks failed Since May 2, 10:05.AM \(UTC\) No checks took place From May 1, 9:00.AM to May 1, 9:20.AM \(UTC\)/,
    );
    await open("/dashboard", (api) => api.on(site.statusHistory, () => history()));
    await eventually(() => expect(textOf(region("Incidents"))).toBe("Incidents None recorded in the last 30 days."));
  });

  test.each([
    ["before the first check", () => history({ uptime: null, days: [] })],
    ["when it is not answered", () => refusal(503)],
  ])("shows no history %s", async (_, answer) => {
    await open("/dashboard", (api) => api.on(site.statusHistory, answer));
    await settled();
    expect(screen.queryByRole("region", { name: "Last 30 days" })).toBeNull();
  });
});

describe("the landing page", () => {
  proves("D1.1-001", async () => {
    const { text } = await pageAt("/");
    expect(text).toMatch(/HIPAA-compliant platform/);
    expect(text).toMatch(/Every organization has its own/);
  });
  test("counts the tools that there are", async () => {
    expect((await pageAt("/")).text).toContain(`${demo("tenant_admin", tools.listTools).length} tools`);
  });
  proves("D1.1-003", async () => {
    const { text, headings } = await pageAt("/");
    const tasks = ["Scheduling", "Prescription refills", "Insurance verification", "Identity verification", "Lead capture", "Reminders"];
    expect(headings).toEqual(expect.arrayContaining(tasks));
    expect(text).toMatch(/Your patients call, and an agent answers/);
  });
  proves("D1.1-004", async () => {
    const { text } = await pageAt("/");
    for (const system of ["EHR systems", "Customer-relationship tools", "Calendar service"]) expect(text).toContain(system);
    expect(text).toMatch(/FHIR in R4, STU3 and DSTU2/);
  });
  proves("D1.1-005", async () => {
    const { text, headings } = await pageAt("/");
    for (const provider of ["SMS provider", "Email provider", "Calendar service", "EHR systems"]) expect(text).toContain(provider);
    expect(headings).toContain("EHR integration, and everything around it");
  });
  proves("D1.2-020", async ({ sees }) => {
    await open("/");
    expect(document.title).toBe("Healthcare AI Voice Agent Platform · Vitaline");
    expect(screen.getAllByRole("heading", { level: 1 })).toHaveLength(1);
    sees(heading());
  });
  proves("D1.2-021", async ({ sees }) => {
    await open("/");
    const cards = within(region("One platform behind every call"))
      .getAllByRole("article")
      .map((card) => textOf(within(card).getByRole("heading")));
    expect(cards).toEqual(["Core Platform", "VAPI Integration", "Services Ready"]);
    expect(screen.getAllByRole("article")).toHaveLength(3);
    sees(cards);
  });
  for (const id of ["D1.2-022", "D1.2-023", "D1.2-024", "D1.2-025", "D1.2-026"])
    proves(id, async ({ sees }) => {
      const { parts } = await pageAt("/");
      const lines = parts.get("Active endpoints")?.match(/\b(GET|POST) \/api\/\S+/g);
      expect(lines).toHaveLength(4);
      sees(lines);
    });
  const sections: [string, RegExp, RegExp][] = [
    ["D1.2-027", /^HIPAA/, /verified by the server/],
    ["D1.2-028", /^EHR integration/, /Epic, Oracle Health/],
    ["D1.2-029", /^Features/, /Prescription refills/],
    ["D1.2-030", /^Compliance/, /audit entry.*Seven years/],
  ];
  for (const [id, name, content] of sections)
    proves(id, async () => {
      const { parts } = await pageAt("/");
      const found = [...parts].filter(([title]) => name.test(title));
      expect(found.map(([, text]) => text)).toEqual([expect.stringMatching(content)]);
      expect(found).toHaveLength(1);
    });
});

describe("the pages that a hospital asks for", () => {
  const footer = (): HTMLElement => screen.getByRole("navigation", { name: "Footer" });
  test.each([
    ["Security and compliance", "/security", /164\.312\(b\).*business associate agreement.*has no SOC 2 report/],
    ["Privacy", "/privacy", /Template.*binds no one.*\[Legal name and address of the operator\]/],
    ["Terms", "/terms", /Template.*binds no one.*\[Legal name of the operator\]/],
    ["FAQ", "/faq", /Does the caller talk to a person.*What is a licence\?.*How soon do you answer\?/],
    ["Documentation", "/docs", /Five steps.*Vapi.*Retell AI.*ElevenLabs.*OpenAI Realtime.*Any MCP client/],
  ])("%s is one step from every page, in the footer", async (name, address, content) => {
    const { user } = await open("/pricing");
    await user.click(link(name, footer()));
    await eventually(() => expect(place()).toBe(address));
    await reads(main, content);
    expect(document.title).toMatch(/\w · Vitaline$/);
  });

  test.each(["/privacy", "/terms"])("%s is no search engine's result while it is a template", async (address) => {
    await open(address);
    expect(document.querySelector("meta[name=robots]")?.getAttribute("content")).toBe("noindex");
    expect(textOf(screen.getByRole("note"))).toMatch(/reviewed by counsel/);
  });

  test.each(platforms.map(({ slug, platform, title }) => [slug, platform, title] as const))(
    "/docs/%s shows every part of the configuration, ready to copy",
    async (slug, platform, title) => {
      const { user } = await open(`/docs/${slug}`);
      expect(heading()).toBe(title);
      const parts = written.filter((one) => one.platform === platform);
      expect(parts.length).toBeGreaterThan(0);
      for (const part of parts) expect(region(part.title).textContent).toBe(part.text);
      const write = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
      await user.click(button(`Copy ${parts[0]!.title}`));
      expect(write.mock.calls).toEqual([[parts[0]!.text]]);
    },
  );
});

describe("the pictures of the product", () => {
  test("say what they show, have their size, and load when they are seen", async () => {
    await open("/");
    const images = () => [...region("What your team sees").querySelectorAll("img")];
    await eventually(() => expect(images()).toHaveLength(2 * pictures.length));
    for (const image of images()) {
      expect(image.getAttribute("src")).toMatch(/(light|dark)\S*\.webp/);
      expect([image.getAttribute("width"), image.getAttribute("height")]).toEqual([`${pictureSize.width}`, `${pictureSize.height}`]);
      expect(image.getAttribute("loading")).toBe("lazy");
      expect(image.alt).toMatch(/^\w.{40,}\.$/);
    }
  });
});

describe("booking a demo", () => {
  const frame = (): HTMLElement => screen.getByTitle("Schedule a demo");
  /** The calendar service, played: an empty page in each frame. */
  const playCalendar = (): void => {
    const getAttribute = Element.prototype.getAttribute;
    vi.spyOn(HTMLIFrameElement.prototype, "getAttribute").mockImplementation(function (this: HTMLIFrameElement, name) {
      return name === "srcdoc" ? "" : getAttribute.call(this, name);
    });
  };
  const choose = async (address: string) => {
    playCalendar();
    const opened = await open(address);
    await eventually(() => expect(button("Choose a time")).toBeTruthy());
    return opened;
  };
  const showsCalendar = async (address: string): Promise<void> => {
    const { user } = await choose(address);
    expect(textOf(region("Schedule a demo"))).toMatch(/comes from cal\.com, which may set cookies/);
    expect(screen.queryByTitle("Schedule a demo")).toBeNull();
    expect(document.documentElement.innerHTML.match(/src="https?:[^"]*/g)).toBeNull();
    await user.click(button("Choose a time"));
    expect(frame().getAttribute("src")).toBe(calendar);
    expect(frame().getAttribute("sandbox")).toBe("allow-scripts allow-same-origin allow-forms allow-popups");
    await eventually(() => expect(textOf(region("Schedule a demo"))).not.toContain("Loading the calendar..."));
    expect(link("Open the calendar in a new tab").getAttribute("rel")).toBe("noopener noreferrer");
  };
  proves("D1.2-031", async () => {
    for (const address of ["/", "/healthcare"]) await showsCalendar(address);
  });
  proves("D1.2-037", () => showsCalendar("/pricing"));

  test("offers other ways when the calendar does not come within ten seconds", async () => {
    const { user } = await choose("/pricing");
    document.addEventListener("load", (event) => event.stopImmediatePropagation(), { capture: true, once: true });
    vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"], now: recordedAt });
    fireEvent.click(button("Choose a time"));
    expect(textOf(region("Schedule a demo"))).toContain("Loading the calendar...");
    await vi.advanceTimersByTimeAsync(9999);
    expect(screen.queryByRole("alert")).toBeNull();
    await vi.advanceTimersByTimeAsync(2);
    vi.useFakeTimers({ toFake: ["Date"], now: recordedAt });
    await reads(() => screen.getByRole("alert"), /Open it in a new tab, or write to us/);
    await user.click(link("write to us"));
    await arrivesAt("Contact us");
    expect(screen.getByLabelText<HTMLTextAreaElement>("Message").value).toMatch(/demo/);
  });

  const config = demo("tenant_admin", site.publicConfig);
  test.each([
    ["no calendar is set up", () => ({ ...config, schedulingUrl: null })],
    ["the platform does not say", () => refusal(503)],
  ])("leads to the contact form where %s", async (_, answer) => {
    const { user } = await open("/", (api) => api.on(site.publicConfig, answer));
    expect(textOf(region("Schedule a demo"))).toMatch(/Tell us a time that works for you.*Monday to Friday 9-6 EST/);
    expect(screen.queryByTitle("Schedule a demo")).toBeNull();
    await user.click(link("Ask for a demo"));
    await arrivesAt("Contact us");
    expect(place()).toBe("/contact?topic=demo");
  });
});

describe("the pricing page", () => {
  const figures: [string, string, RegExp][] = [
    ["D1.9-028", "Light", /\$1,099 per month/],
    ["D1.9-029", "Light", /Setup \$2,999/],
    ["D1.9-030", "Light", /1 licence per location/],
    ["D1.9-031", "Light", /1,800 bundled minutes/],
    ["D1.9-032", "Core", /\$1,899 per month/],
    ["D1.9-033", "Core", /Setup \$6,999/],
    ["D1.9-034", "Core", /3 licences/],
    ["D1.9-035", "Core", /3,600 bundled minutes/],
    ["D1.9-036", "Enterprise", /Custom/],
  ];
  for (const [id, name, figure] of figures) proves(id, async () => expect((await pageAt("/pricing")).parts.get(name)).toMatch(figure));
  proves("D1.2-033", async ({ sees }) => {
    const { text, headings } = await pageAt("/pricing");
    const names = headings.filter((one) => ["Light", "Core", "Enterprise"].includes(one));
    expect(names).toEqual(["Light", "Core", "Enterprise"]);
    expect(text.match(/\bSetup\b/g)?.length).toBeGreaterThanOrEqual(3);
    sees(names);
  });
  proves("D1.2-034", async ({ sees }) => {
    const { parts } = await pageAt("/pricing");
    for (const name of ["Light", "Enterprise"]) expect(parts.get(name)).not.toContain("Most Popular");
    expect(parts.get("Core")).toContain("Most Popular");
    sees(parts.get("Core"));
  });
  /** A table's cells by row and column heading. */
  const tableOf = (name: string): Record<string, string[]> => {
    const rows = within(screen.getByRole("table", { name })).getAllByRole("row");
    const cells = rows.map((row) => [...row.children].map(textOf));
    return Object.fromEntries(cells.map(([first = "", ...rest]) => [first, rest]));
  };
  proves("D1.2-035", async () => {
    await open("/pricing");
    expect(screen.getAllByRole("table")).toHaveLength(2);
    expect(tableOf("Plans compared")).toMatchObject({
      "": ["Light", "Core", "Enterprise"],
      "Monthly price": ["$1,099", "$1,899", "Custom"],
      Setup: ["$2,999", "$6,999", "Custom"],
      Licences: ["1 per location", "3", "Custom"],
      "Bundled minutes a month": ["1,800", "3,600", "Custom"],
    });
  });
  for (const [id, column, calls] of [
    ["D1.9-038", "Starter", "500"],
    ["D1.9-039", "Professional", "2,000"],
    ["D1.9-040", "Enterprise", "Unlimited"],
  ] as const)
    proves(id, async () => {
      await open("/pricing");
      const table = tableOf("By calls a month");
      const at = table[""]?.indexOf(column) ?? -1;
      expect(at).toBeGreaterThanOrEqual(0);
      expect(table["Monthly calls"]?.[at]).toBe(calls);
    });
  proves("D1.9-037", async () => {
    const { parts } = await pageAt("/pricing");
    for (const name of ["Light", "Core", "Enterprise"]) expect(parts.get(name)).toMatch(/Overage \$0\.18 per minute/);
  });
  proves("D1.2-036", async () => {
    const { user } = await open("/pricing");
    const questions = [...region("Frequently asked questions").querySelectorAll("details")];
    expect(questions.length).toBeGreaterThanOrEqual(5);
    expect(questions.filter(({ open: isOpen }) => isOpen)).toEqual([]);
    await user.click(screen.getByText("How long does setup take?"));
    expect(questions.filter(({ open: isOpen }) => isOpen).map(textOf)).toEqual([expect.stringMatching(/we connect your EHR/)]);
  });
  proves("D1.9-041", async () => {
    for (const address of ["/pricing", "/"]) {
      await open(address);
      await reads(main, "For the first 100 MVP members: 37 places left");
    }
  });
  proves("D1.9-042", async () => {
    expect((await pageAt("/pricing")).text).toContain("setup in 24-48 hours");
    expect((await pageAt("/")).text).toContain("24-48 hours");
  });
  test.each([
    ["Choose Light", "Light"],
    ["Choose Core", "Core"],
    ["Talk to us", "Enterprise"],
  ])("leads by %s to a message that names the plan", async (name, plan) => {
    const { user } = await open("/pricing");
    await user.click(link(name));
    await arrivesAt("Contact us");
    expect(screen.getByLabelText<HTMLTextAreaElement>("Message").value).toContain(plan);
  });
});

describe("the contact page", () => {
  const letter = { "First name": "Ann", "Last name": "Lee", Email: "ann@lee.example", Message: "Hello there." };
  const field = (label: string): HTMLInputElement => within(main()).getByLabelText(new RegExp(`^${label}`));
  const write = (fields: Record<string, string> = letter): void => {
    for (const [label, value] of Object.entries(fields)) fireEvent.input(field(label), { target: { value } });
  };
  const received = { received: true } as const;
  const sent = { firstName: "Ann", lastName: "Lee", email: "ann@lee.example", message: "Hello there." } satisfies ContactForm;

  for (const [index, name] of ["firstName", "lastName", "email", "phone", "company", "industry", "message"].entries())
    proves(`D1.2-0${39 + index}`, async () => {
      await open("/contact");
      const controls = [
        ...within(main()).getAllByRole<HTMLInputElement>("textbox"),
        within(main()).getByRole<HTMLSelectElement>("combobox"),
      ];
      const control = controls.find((one) => one.name === name);
      const isRequired = ["firstName", "lastName", "email", "message"].includes(name);
      expect(control?.getAttribute("aria-required")).toBe(String(isRequired));
      if (name !== "industry") return;
      const values = within(control!)
        .getAllByRole<HTMLOptionElement>("option")
        .map(({ value }) => value);
      expect(values.filter(Boolean)).toEqual(["healthcare", "dental", "homeservices", "cleaning", "hvac", "wellness", "other"]);
    });
  proves("D1.2-038", async () => {
    const { text, headings } = await pageAt("/contact");
    expect(text).toMatch(/First name.*Send message/);
    expect(headings).toEqual(expect.arrayContaining(["Contact information", "Frequently asked questions"]));
  });
  proves("D1.9-043", async () => {
    const { text } = await pageAt("/contact");
    expect(text).toMatch(/Monday to Friday 9-6 EST Saturday 10-4 EST Sunday Closed/);
    expect(text).toContain("support@vitaline.example");
  });

  test("has the name, address and organization of who is signed in, and keeps what was typed before that was known", async () => {
    let release = () => {};
    const opened = asTenant("/contact", { before: (one) => ({ release } = one.hold(sessions.me)) });
    await eventually(() => write({ Company: "Lee & Lee" }));
    release();
    const { api, user, me } = await opened;
    const shown = () => ["First name", "Last name", "Email", "Company"].map((label) => field(label).value);
    await eventually(() => expect(shown()).toEqual([me!.firstName, me!.lastName, me!.email, "Lee & Lee"]));
    expect(location.search).toBe("");
    api.on(site.sendContactMessage, () => received);
    write({ Message: "Hello there." });
    await user.click(button("Send message"));
    await reads(main, /Thank you/);
    await user.click(button("Send another message"));
    await eventually(() => expect(shown()).toEqual([me!.firstName, me!.lastName, me!.email, me!.tenantName]));
    expect(field("Message").value).toBe("");
  });

  test("leaves a field empty that was emptied, also when the session is read again", async () => {
    const { api, me } = await asTenant("/contact");
    await eventually(() => expect(field("Company").value).toBe(me!.tenantName));
    write({ Company: "" });
    fireEvent(window, new StorageEvent("storage", { key: "auth_token", newValue: "a-session" }));
    await eventually(() => expect(api.received(sessions.me)).toHaveLength(2));
    await settled();
    expect([field("First name").value, field("Company").value]).toEqual([me!.firstName, ""]);
  });

  test("sends a message in whole, says so in a panel that has the focus, and begins the next one empty", async () => {
    const { user, api } = await open("/contact", (one) => one.on(site.sendContactMessage, () => received));
    write({ ...letter, Company: "Lee & Lee" });
    await user.selectOptions(field("Industry"), "hvac");
    await user.click(button("Send message"));
    await eventually(() => expect(document.activeElement?.textContent).toBe("Thank you. We have received your message."));
    expect(api.received(site.sendContactMessage).map(({ body }) => body)).toEqual([
      { ...sent, company: "Lee & Lee", industry: "hvac", website: "" },
    ]);
    await user.click(button("Send another message"));
    expect(field("Message").value).toBe("");
  });

  test("names what is missing at its field, takes the focus there, and asks no one", async () => {
    const { user, api } = await open("/contact");
    await user.click(button("Send message"));
    const wrong = () => [...main().querySelectorAll<HTMLInputElement>("[aria-invalid=true]")].map(({ name }) => name);
    await eventually(() => expect(wrong()).toEqual(["firstName", "lastName", "email", "message"]));
    expect(document.activeElement).toBe(field("First name"));
    expect(api.received(site.sendContactMessage)).toEqual([]);
  });

  test("keeps every word when the message does not arrive, sends once however often one clicks, and arrives at last", async () => {
    const { user, api } = await open("/contact", (one) => {
      one.on(site.sendContactMessage, () => received);
      one.once(site.sendContactMessage, () => refusal(429, { error: "Too many messages. Try again later.", code: "too_many_requests" }));
    });
    const { release } = api.hold(site.sendContactMessage);
    write();
    await user.dblClick(button("Send message"));
    await user.click(button("Sending..."));
    release();
    await reads(() => screen.queryByRole("alert"), "Too many messages. Try again later.");
    expect(api.received(site.sendContactMessage)).toHaveLength(1);
    for (const [label, text] of Object.entries(letter)) expect(field(label).value).toBe(text);
    await user.click(button("Send message"));
    await reads(main, /Thank you/);
    expect(api.received(site.sendContactMessage).map(({ body }) => body)).toMatchObject([sent, sent]);
  });

  test("has a field that no person finds, and sends along what a program writes there", async () => {
    const { user, api } = await open("/contact", (one) => one.on(site.sendContactMessage, () => received));
    const trap = main().querySelector<HTMLInputElement>("[name=website]")!;
    expect(trap.tabIndex).toBe(-1);
    expect(within(main()).queryByRole("textbox", { name: "Website" })).toBeNull();
    write();
    fireEvent.input(trap, { target: { value: "https://spam.example" } });
    await user.click(button("Send message"));
    await reads(main, /Thank you/);
    expect(api.received(site.sendContactMessage)[0]?.body.website).toBe("https://spam.example");
    await settled();
  });
});
