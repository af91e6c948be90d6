import type { Appointment, CoverageEligibilityRequest, Patient } from "fhir/r4.js";
import { afterEach, describe, expect, it } from "vitest";
import { codeOf, contextFor, json, type OddServer, startOddServer } from "../fhir.fixture.ts";

let servers: OddServer[] = [];
afterEach(async () => {
  await Promise.all(servers.map((server) => server.close()));
  servers = [];
});
const serve = async (...args: Parameters<typeof startOddServer>): Promise<OddServer> => {
  const server = await startOddServer(...args);
  servers.push(server);
  return server;
};

const patient: Patient = { resourceType: "Patient", id: "7", name: [{ family: "Alderwick" }] };
const bundle = (next: string | undefined, ...ids: string[]) => ({
  resourceType: "Bundle",
  type: "searchset",
  link: next === undefined ? [] : [{ relation: "next", url: next }],
  entry: ids.map((id) => ({ resource: { ...patient, id } })),
});

describe("pages of a search", () => {
  it("are never fetched from another origin, which would get the token", async () => {
    const stranger = await serve((_, response) => json(response, 200, bundle(undefined, "stolen")));
    const links = [
      `${stranger.origin}/fhir/Patient?page=2`,
      "//elsewhere.example/fhir",
      "https://elsewhere.example/fhir/Patient",
      "../admin",
      "/other/Patient",
      "javascript:alert(1)",
    ];
    for (const link of links) {
      const server = await serve((_, response) => json(response, 200, bundle(link, "1")));
      expect(await codeOf(server.client().search("Patient", {})), link).toBe("ehr_invalid");
      expect(server.asked, link).toHaveLength(1);
    }
    expect(stranger.asked).toHaveLength(0);
  });

  it("may be relative links and may repeat a resource, but may not form a cycle", async () => {
    const server = await serve((asked, response) =>
      json(response, 200, asked.method === "POST" ? bundle("Patient?page=2", "1", "2") : bundle(undefined, "2", "3")),
    );
    expect((await server.client().search<Patient>("Patient", {})).map(({ id }) => id)).toEqual(["1", "2", "3"]);
    const circle = await serve((_, response) => json(response, 200, bundle("?page=again", "1")));
    expect(await codeOf(circle.client().search("Patient", {}))).toBe("ehr_invalid");
  });

  it("are returned without the warnings among their entries", async () => {
    const warning = {
      resource: { resourceType: "OperationOutcome", issue: [{ severity: "warning", code: "processing" }] },
      search: { mode: "outcome" },
    };
    const server = await serve((_, response) =>
      json(response, 200, { ...bundle(undefined, "1"), entry: [warning, { resource: patient }] }),
    );
    expect(await server.client().search("Patient", {})).toEqual([patient]);
  });
});

describe("a search over several pages", () => {
  const meta = (id: string, lastUpdated: string) => ({ resource: { ...patient, id, meta: { lastUpdated } } });

  it("returns the newest version of a repeated resource", async () => {
    const [older, newer] = ["2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"];
    for (const [first, second] of [[older, newer] as const, [newer, older] as const]) {
      const server = await serve((asked, response) => {
        const page = asked.method === "POST" ? bundle("?page=2") : bundle(undefined);
        return json(response, 200, { ...page, entry: [meta("1", asked.method === "POST" ? first : second)] });
      });
      expect((await server.client().search<Patient>("Patient", {})).map((one) => one.meta?.lastUpdated)).toEqual([newer]);
    }
  });

  it("is run again, once, when the server's paging expires between two pages", async () => {
    const forgotten = {
      resourceType: "OperationOutcome",
      issue: [{ severity: "fatal", code: "processing", details: { coding: [{ code: "4113" }] } }],
    };
    let lapses = 1;
    const server = await serve((asked, response) => {
      if (asked.method === "POST") return json(response, 200, bundle("?page=2", "1"));
      return lapses-- > 0 ? json(response, 400, forgotten) : json(response, 200, bundle(undefined, "2"));
    });
    expect((await server.client().search<Patient>("Patient", {})).map(({ id }) => id)).toEqual(["1", "2"]);
    lapses = 99;
    expect(await codeOf(server.client().search("Patient", {}))).toBe("ehr_unavailable");
    expect(server.asked.filter(({ method }) => method === "POST")).toHaveLength(4);
  });

  it("ends at the page limit", async () => {
    let page = 0;
    const server = await serve((_, response) => json(response, 200, bundle(`?page=${++page}`, "1")));
    expect(await codeOf(server.client().search("Patient", {}))).toBe("ehr_invalid");
    expect(server.asked.length).toBeLessThan(30);
  });

  it("returns only the searched type, unless includes were requested", async () => {
    const foreign = { resource: { resourceType: "Practitioner", id: "9" }, search: { mode: "match" } };
    const server = await serve((_, response) =>
      json(response, 200, { ...bundle(undefined, "1"), entry: [foreign, {}, { resource: null }, { resource: patient }] }),
    );
    expect((await server.client().search("Patient", {})).map(({ resourceType }) => resourceType)).toEqual(["Patient"]);
    const both = await server.client().search("Patient", { _include: "Patient:general-practitioner" });
    expect(both.map(({ resourceType }) => resourceType)).toEqual(["Patient", "Practitioner"]);
  });

  it("without results is empty, even if the server reports that as an error; a forbidden resource is not an empty result", async () => {
    const outcome = (severity: string, code: string) => ({
      resourceType: "OperationOutcome",
      issue: [{ severity, code: "processing", details: { coding: [{ code }] } }],
    });
    const nothing = await serve((_, response) => json(response, 404, outcome("fatal", "4101")));
    expect(await nothing.client().search("Patient", {})).toEqual([]);
    const warned = await serve((_, response) =>
      json(response, 200, { ...bundle(undefined), entry: [{ resource: outcome("warning", "4101"), search: { mode: "outcome" } }] }),
    );
    expect(await warned.client().search("Patient", {})).toEqual([]);
    const closed = await serve((_, response) =>
      json(response, 200, { ...bundle(undefined), entry: [{ resource: outcome("fatal", "4130"), search: { mode: "outcome" } }] }),
    );
    expect(await codeOf(closed.client().search("Patient", {}))).toBe("ehr_forbidden");
  });

  it("that failed is never taken for an empty one, for any error code", async () => {
    const cases: [issue: object, code: string][] = [
      [{ severity: "fatal", code: "exception" }, "ehr_unavailable"],
      [{ severity: "error", code: "incomplete" }, "ehr_unavailable"],
      [{ severity: "error", code: "timeout" }, "ehr_unavailable"],
      [{ severity: "error", code: "processing" }, "ehr_invalid"],
      [{ severity: "error", code: "of-their-own" }, "ehr_invalid"],
      [{ severity: "error" }, "ehr_invalid"],
      [{ code: "too-costly" }, "ehr_invalid"],
    ];
    for (const [issue, code] of cases) {
      const resource = { resourceType: "OperationOutcome", issue: [{ severity: "warning", code: "informational" }, issue] };
      const within = { ...bundle(undefined, "1"), entry: [{ resource, search: { mode: "outcome" } }] };
      for (const body of [within, resource]) {
        const server = await serve((_, response) => json(response, 200, body));
        expect(await codeOf(server.client().search("Patient", {})), JSON.stringify(issue)).toBe(code);
      }
    }
    const blank = { ...bundle(undefined), entry: [{ resource: { resourceType: "OperationOutcome" } }] };
    const server = await serve((_, response) => json(response, 200, blank));
    expect(await codeOf(server.client().search("Patient", {}))).toBe("ehr_invalid");
  });

  it("leaves out and logs a malformed slot; a malformed chart resource fails the search", async () => {
    const slot = { resourceType: "Slot", id: "1", schedule: { reference: "Schedule/1" }, status: "free", start: "", end: "" };
    const odd = { ...slot, id: "2", schedule: ["Schedule/1"] };
    const allergy = { resourceType: "AllergyIntolerance", id: "1", patient: { reference: "Patient/7" } };
    const server = await serve((asked, response) => {
      const entry = asked.url.includes("/Slot") ? [odd, slot, { ...odd, id: "../9" }] : [allergy, { ...allergy, id: "2", code: [] }];
      json(response, 200, { ...bundle(undefined), entry: entry.map((resource) => ({ resource })) });
    });
    const context = contextFor();
    expect(await server.client(context).search("Slot", {})).toEqual([slot]);
    expect(context.logged.at(-1)).toEqual({ event: "ehr.record_left_out", operation: "search Slot", count: 2 });
    expect(await codeOf(server.client().search("AllergyIntolerance", {}))).toBe("ehr_invalid");
  });
});

describe("an empty search", () => {
  const empty = async (more: object) => {
    const server = await serve((_, response) => json(response, 200, { resourceType: "Bundle", type: "searchset", ...more }));
    return codeOf(server.client().search("AllergyIntolerance", {}));
  };
  /** As Epic tells it: number 59204. */
  const warning = (code: string) => ({
    resource: { resourceType: "OperationOutcome", issue: [{ severity: "warning", code, details: { coding: [{ code: "59204" }] } }] },
    search: { mode: "outcome" },
  });

  it.each([
    ["withheld by the client's rights", { total: 0, entry: [warning("suppressed")] }, "ehr_forbidden"],
    ["withheld for now", { total: 0, entry: [warning("incomplete")] }, "ehr_unavailable"],
    ["counted, but not sent", { total: 3, entry: [] }, "ehr_invalid"],
  ])("is no empty chart where there are results: %s", async (_, bundle, code) => {
    expect(await empty(bundle)).toBe(code);
  });
  it.each([{ total: 0 }, { total: 0, entry: [] }, { total: 0, entry: [warning("processing")] }])("is one otherwise", async (bundle) => {
    expect(await empty(bundle)).toBe("answered");
  });
});

describe("an operation", () => {
  const outcome = (...issue: object[]) => ({ resourceType: "OperationOutcome", issue });
  const parameters = { resourceType: "Parameters" } as const;
  const answering = async (body: object) => (await serve((_, response) => json(response, 200, body))).client();

  it("that failed is an error and never returns an OperationOutcome, alone or in a Bundle", async () => {
    const failed = outcome({ severity: "error", code: "processing" });
    for (const body of [failed, { resourceType: "Bundle", entry: [{ resource: patient }, { resource: failed }] }])
      expect(await codeOf((await answering(body)).operation("Appointment", "book", parameters, { effect: "write" }))).toBe("ehr_invalid");
    const broken = await answering(outcome({ severity: "fatal", code: "exception" }));
    expect(await codeOf(broken.operation("Appointment", "book", parameters, { effect: "write" }))).toBe("ehr_unknown_outcome");
    expect(await codeOf(broken.operation("Appointment", "find", parameters))).toBe("ehr_unavailable");
    const warning = outcome({ severity: "warning", code: "processing" });
    expect(await codeOf((await answering(warning)).operation("Appointment", "book", parameters, { effect: "write" }))).toBe(
      "ehr_unknown_outcome",
    );
    const warned = await answering({ resourceType: "Bundle", entry: [{ resource: warning }, { resource: patient }] });
    expect(await warned.operation("Appointment", "find", parameters)).toEqual([patient]);
  });

  it("that matches returns only the certain matches, where the server grades them", async () => {
    const graded = (id: string, valueCode?: string) => ({
      resource: { ...patient, id },
      search: {
        extension: valueCode ? [{ url: "http://hl7.org/fhir/StructureDefinition/match-grade", valueCode }] : [{ url: "urn:other" }],
      },
    });
    const entry = [graded("1", "certain"), graded("2", "probable"), graded("3", "possible"), graded("4", "certainly-not"), graded("5")];
    const client = await answering({ resourceType: "Bundle", entry });
    const ids = async (name: string) => (await client.operation<Patient>("Patient", name, parameters)).map(({ id }) => id);
    expect([await ids("match"), (await ids("everything")).length]).toEqual([["1", "5"], 5]);
  });
});

describe("a search with patient data", () => {
  it.each([400, 404, 405, 415, 501])(
    "travels in the body, and in the address only where a server refuses that with %i (D11); it is asked once",
    async (status) => {
      const server = await serve((asked, response) =>
        asked.method === "POST" ? json(response, status, {}) : json(response, 200, bundle(undefined, "1")),
      );
      await server.client().search("Patient", { family: "Alderwick" });
      await server.client().search("Patient", { family: "Alderwick" });
      expect(server.asked.map(({ method, url }) => `${method} ${url}`)).toEqual([
        "POST /fhir/Patient/_search",
        "GET /fhir/Patient?family=Alderwick",
        "GET /fhir/Patient?family=Alderwick",
      ]);
      expect(server.asked[0]?.body).toBe("family=Alderwick");
    },
  );

  it.each([
    ["D04", "what was to be brought along", { _include: "Slot:schedule" }],
    ["D06", "an order", { _sort: "start" }],
  ])("%s: is run without %s where a server refuses that, which is tried once an hour", async (_id, _what, hint) => {
    const [[name, value]] = Object.entries(hint) as [[string, string]];
    const server = await serve((asked, response) =>
      `${asked.url}${asked.body}`.includes(name)
        ? json(response, 400, {})
        : json(response, 200, { resourceType: "Bundle", entry: [{ resource: { resourceType: "Slot", id: "1" } }] }),
    );
    const params = { status: "active", [name]: value };
    const ask = (laterMs = 0) => {
      const now = contextFor();
      return server.client({ ...now, clock: () => new Date(Date.now() + laterMs) }).search("Slot", params);
    };
    expect((await ask()).map(({ id }) => id)).toEqual(["1"]);
    await ask();
    await ask(3_600_001);
    const [asked, plain] = [`/fhir/Slot?status=active&${name}=${encodeURIComponent(value)}`, "/fhir/Slot?status=active"];
    expect(server.asked.map(({ url }) => url)).toEqual([asked, plain, plain, asked, plain]);
  });

  it("is sent as POST again when GET failed too, for every other type, and after an hour", async () => {
    const server = await serve((asked, response) =>
      asked.url.includes("Patient") ? json(response, asked.method === "POST" ? 405 : 200, bundle(undefined, "1")) : json(response, 405, {}),
    );
    const ask = (type: "Patient" | "Coverage", laterMs = 0) => {
      const now = contextFor();
      return codeOf(server.client({ ...now, clock: () => new Date(Date.now() + laterMs) }).search(type, {}));
    };
    for (const type of ["Patient", "Patient", "Coverage", "Coverage"] as const) await ask(type);
    await ask("Patient", 3_600_001);
    expect(server.asked.map(({ method, url }) => `${method} ${url}`)).toEqual([
      ...["POST /fhir/Patient/_search", "GET /fhir/Patient", "GET /fhir/Patient"],
      ...["POST /fhir/Coverage/_search", "GET /fhir/Coverage", "POST /fhir/Coverage/_search", "GET /fhir/Coverage"],
      ...["POST /fhir/Patient/_search", "GET /fhir/Patient"],
    ]);
  });
});

describe("responses that are not FHIR", () => {
  const signInPage = (_: unknown, response: Parameters<typeof json>[0]) =>
    void response.writeHead(200, { "Content-Type": "text/html" }).end("<html>Please sign in</html>");

  it("are an error for a read and an unknown outcome for a write", async () => {
    const server = await serve(signInPage);
    expect(await codeOf(server.client().read("Patient", "7"))).toBe("ehr_invalid");
    expect(await codeOf(server.client().search("Patient", {}))).toBe("ehr_invalid");
    expect(await codeOf(server.client().capability())).toBe("ehr_invalid");
    expect(await codeOf(server.client().create(patient))).toBe("ehr_unknown_outcome");
    expect(await codeOf(server.client().update(patient))).toBe("ehr_unknown_outcome");
  });

  it("are refused when they have another media type or charset", async () => {
    const body = JSON.stringify({ ...patient, name: [{ family: "Müller" }] });
    const typed = (type: string | undefined, bytes: string | Buffer) =>
      serve((_, response) => void response.writeHead(200, type === undefined ? {} : { "Content-Type": type }).end(bytes));
    const refused = [
      ["text/html", body],
      ["text/plain", body],
      ["application/xml", body],
      ["application/fhir+xml", body],
      ["application/octet-stream", body],
      ["application/fhir+json; charset=utf-16", body],
      ["application/fhir+json; charset=shift_jis", body],
      ["application/fhir+json", Buffer.from(body, "latin1")],
      ["application/fhir+json", Buffer.from(body, "utf16le")],
    ] as const;
    for (const [type, bytes] of refused)
      expect(await codeOf((await typed(type, bytes)).client().read("Patient", "7")), type).toBe("ehr_invalid");
    const taken = [
      ["application/fhir+json;charset=UTF-8", body],
      ["application/json+fhir", body],
      ["application/json", `\uFEFF${body}`],
      [undefined, body],
      ["application/fhir+json; charset=iso-8859-1", Buffer.from(body, "latin1")],
    ] as const;
    for (const [type, bytes] of taken)
      expect((await (await typed(type, bytes)).client().read<Patient>("Patient", "7")).name?.[0]?.family, type).toBe("Müller");
  });

  it("are refused when they are nested too deeply, have 50 MB, or are truncated JSON", async () => {
    const deep = `{"resourceType":"Patient","id":"7","contained":${"[".repeat(10_000)}${"]".repeat(10_000)}}`;
    const open = `{"resourceType":"Patient","id":"7","name":${'[{"a":'.repeat(10_000)}`;
    for (const body of [deep, open, '{"resourceType":"Patient"', "[]", "null", "7", '"Patient"']) {
      const server = await serve((_, response) => void response.writeHead(200, { "Content-Type": "application/fhir+json" }).end(body));
      for (const version of ["R4", "STU3", "DSTU2"] as const) {
        expect(await codeOf(server.client(undefined, version).read("Patient", "7"))).toBe("ehr_invalid");
        expect(await codeOf(server.client(undefined, version).search("Patient", {}))).toBe("ehr_invalid");
      }
    }
    const chunk = Buffer.alloc(1 << 20, 0x20);
    const huge = await serve((_, response) => {
      response.writeHead(200, { "Content-Type": "application/fhir+json" });
      for (let megabytes = 0; megabytes < 50; megabytes++) response.write(chunk);
      response.end("{}");
    });
    const before = process.memoryUsage().arrayBuffers;
    expect(await codeOf(huge.client().search("Patient", {}))).toBe("ehr_invalid");
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100 << 20);
  });

  it("are refused when a resource's id is not a plain id", async () => {
    for (const id of ["../admin", "1,2", "a b", "x|y", "", "7?_format=xml", "ü", "1".repeat(200), ".."]) {
      const server = await serve((_, response) =>
        json(response, 200, { resourceType: "Bundle", type: "searchset", entry: [{ resource: { ...patient, id } }] }),
      );
      expect(await codeOf(server.client().search("Patient", {})), id).toBe("ehr_invalid");
      const single = await serve((_, response) => json(response, 200, { ...patient, id }));
      expect(await codeOf(single.client().read("Patient", "7")), id).toBe("ehr_invalid");
    }
  });

  it("are refused when too large, redirected, or another resource", async () => {
    const large = await serve((_, response) => json(response, 200, { ...patient, text: "x".repeat(2 << 20) }));
    expect(await codeOf(large.client().read("Patient", "7"))).toBe("ehr_invalid");
    const redirect = await serve((_, response) => void response.writeHead(302, { Location: "https://elsewhere.example/" }).end());
    expect(await codeOf(redirect.client().read("Patient", "7"))).toBe("ehr_invalid");
    const another = await serve((_, response) => json(response, 200, { resourceType: "Practitioner", id: "7" }));
    expect(await codeOf(another.client().read("Patient", "7"))).toBe("ehr_invalid");
  });

  it("to a create give its id by the Location, on any host", async () => {
    const server = await serve((asked, response) =>
      asked.method === "POST"
        ? response.writeHead(201, { Location: "https://inside.example/v4/Patient/7/_history/1" }).end()
        : json(response, 200, patient),
    );
    expect(await server.client().create({ ...patient, id: undefined })).toEqual(patient);
    expect(server.asked.map(({ url }) => url)).toEqual(["/fhir/Patient", "/fhir/Patient/7"]);
    const silent = await serve((_, response) => void response.writeHead(201).end());
    expect(await codeOf(silent.client().create(patient))).toBe("ehr_unknown_outcome");
  });

  it("to an update lead to a read", async () => {
    const outcome = { resourceType: "OperationOutcome", issue: [{ severity: "information", code: "informational" }] };
    const server = await serve((asked, response) =>
      json(response, 200, asked.method === "PUT" ? outcome : { ...patient, gender: "female" }),
    );
    expect((await server.client().update(patient)).gender).toBe("female");
  });
});

describe("a transaction", () => {
  const entries = [{ create: patient }, { update: { ...patient, id: "8" }, ifMatch: 'W/"1"' }];
  const answered = (...statuses: string[]) => ({
    resourceType: "Bundle",
    type: "transaction-response",
    entry: statuses.map((status) => ({ response: { status } })),
  });
  const outcomeOf = async (status: number, body: object) =>
    codeOf((await serve((_, response) => json(response, status, body))).client().transaction(entries));

  it.each([
    ["201 Created", "200 OK", "answered"],
    ["412 Precondition Failed", "409", "ehr_conflict"],
    ["404", "412", "ehr_not_found"],
    ["201", "412", "ehr_unknown_outcome"],
    ["500", "412", "ehr_unknown_outcome"],
    ["nonsense", "412", "ehr_unknown_outcome"],
  ])("with the entry statuses %s and %s is %s", async (first, second, outcome) => {
    expect(await outcomeOf(200, answered(first, second))).toBe(outcome);
  });

  it("has an unknown outcome when the response lacks an entry or is missing, and is refused when all entries are", async () => {
    expect(await outcomeOf(200, answered("201"))).toBe("ehr_unknown_outcome");
    expect(await outcomeOf(200, {})).toBe("ehr_unknown_outcome");
    expect(await outcomeOf(502, {})).toBe("ehr_unknown_outcome");
    expect(await outcomeOf(412, {})).toBe("ehr_conflict");
  });

  it("reads resources that the response omits, with the server's native types", async () => {
    const server = await serve((asked, response) =>
      asked.method === "POST"
        ? json(response, 200, {
            resourceType: "Bundle",
            entry: [{ response: { status: "201", location: "EligibilityRequest/5/_history/1" } }],
          })
        : json(response, 200, { resourceType: "EligibilityRequest", id: "5", created: "2026-01-02" }),
    );
    const client = server.client(undefined, "DSTU2");
    const create: CoverageEligibilityRequest = {
      ...{ resourceType: "CoverageEligibilityRequest", status: "active", purpose: ["benefits"] },
      ...{ patient: {}, insurer: {}, created: "2026-01-02" },
    };
    expect(await client.transaction([{ create }])).toMatchObject([
      { resourceType: "CoverageEligibilityRequest", id: "5", created: "2026-01-02" },
    ]);
    expect(server.asked.map(({ method, url }) => `${method} ${url}`)).toEqual(["POST /fhir", "GET /fhir/EligibilityRequest/5"]);
    expect(server.asked[0]?.headers["content-type"]).toBe("application/json+fhir");
    expect(JSON.parse(server.asked[0]?.body ?? "")).toMatchObject({
      entry: [
        { request: { method: "POST", url: "EligibilityRequest" }, resource: { resourceType: "EligibilityRequest", created: "2026-01-02" } },
      ],
    });
  });
});

describe("versions and conditions", () => {
  it("are sent as the server gave them, and a condition only where the server supports it", async () => {
    const server = await serve((asked, response) =>
      asked.url.endsWith("/metadata")
        ? json(response, 200, { resourceType: "CapabilityStatement", rest: [{ mode: "server", resource: [{ type: "Patient" }] }] })
        : json(response, 200, patient),
    );
    await server.client().update({ ...patient, meta: { versionId: "98448edf-1" } });
    await server.client().create(patient, { ifNoneExist: "identifier=a|b" });
    expect(server.asked.map(({ url, headers }) => [url, headers["if-match"], headers["if-none-exist"]])).toEqual([
      ["/fhir/Patient/7", 'W/"98448edf-1"', undefined],
      ["/fhir/metadata", undefined, undefined],
      ["/fhir/Patient", undefined, undefined],
    ]);
  });

  /** A server with one resource, with these headers, that accepts any update of it. */
  const keeper = async (ways: readonly string[], shown: () => object, headers: Record<string, string> = {}) =>
    serve((asked, response) => {
      const rest = [{ mode: "server", resource: [{ type: "Patient", interaction: ways.map((code) => ({ code })) }] }];
      if (asked.url.endsWith("/metadata")) json(response, 200, { resourceType: "CapabilityStatement", rest });
      else json(response, 200, asked.method === "PUT" ? JSON.parse(asked.body) : shown(), asked.method === "GET" ? headers : {});
    });
  const writesOf = ({ asked }: OddServer) => asked.filter(({ method }) => method === "PUT" || method === "PATCH");

  it.each(["update", "patch"])("of a resource are sent by %s as received, strong or weak, from the header or the resource", async (way) => {
    const cases: [headers: Record<string, string>, meta: object | undefined, ifMatch: string][] = [
      [{ ETag: '"strong-1"' }, undefined, '"strong-1"'],
      [{ ETag: '"3"' }, { versionId: "3" }, '"3"'],
      [{ ETag: 'W/"4"' }, undefined, 'W/"4"'],
      [{}, { versionId: "5" }, 'W/"5"'],
    ];
    for (const [headers, meta, ifMatch] of cases) {
      const server = await keeper([way], () => ({ ...patient, ...(meta && { meta }) }), headers);
      const client = server.client();
      const before = await client.read<Patient>("Patient", "7");
      await client.change<Patient>(before, { ...before, gender: "female" });
      expect(writesOf(server).map((one) => one.headers["if-match"])).toEqual([ifMatch]);
    }
  });

  it.each(["update", "patch"])(
    "that a server does not tell make us look again before a %s: what has changed since is not written over",
    async (way) => {
      let shown: Patient = patient;
      const server = await keeper([way], () => shown);
      const client = server.client();
      const before = await client.read<Patient>("Patient", "7");
      const after: Patient = { ...before, gender: "female" };
      shown = { ...patient, birthDate: "1980-01-02" };
      expect([await codeOf(client.change<Patient>(before, after)), writesOf(server)]).toEqual(["ehr_conflict", []]);
      shown = { ...patient, meta: { lastUpdated: "2026-01-02T00:00:00Z" } };
      expect([await codeOf(client.change<Patient>(before, after)), writesOf(server).length]).toEqual(["answered", 1]);
    },
  );

  it("read the CapabilityStatement with the token where it is not public", async () => {
    const server = await serve((asked, response) =>
      asked.headers.authorization ? json(response, 200, { resourceType: "CapabilityStatement", rest: [] }) : json(response, 401, {}),
    );
    expect((await server.client().capability()).supports("Patient", "read")).toBe(false);
  });
});

describe("a change of one field", () => {
  const interaction = [{ code: "update" }];
  const changed = async (fhirVersion: "R4" | "STU3" | "DSTU2", native: object, change: (patient: Patient) => Patient) => {
    const server = await serve((asked, response) => {
      const resourceType = fhirVersion === "DSTU2" ? "Conformance" : "CapabilityStatement";
      const statement = { resourceType, rest: [{ mode: "server", resource: [{ type: "Patient", interaction }] }] };
      if (asked.url.endsWith("/metadata")) json(response, 200, statement);
      else json(response, 200, asked.method === "PUT" ? JSON.parse(asked.body) : native);
    });
    const client = server.client(undefined, fhirVersion);
    const before = await client.read<Patient>("Patient", "7");
    await client.change(before, change(before));
    return { before, sent: JSON.parse(server.asked.at(-1)?.body ?? "{}") as unknown };
  };
  const meta = { versionId: "1" };
  const absent = { extension: [{ url: "http://hl7.org/fhir/StructureDefinition/data-absent-reason", valueCode: "masked" }] };

  it("leaves the rest of a DSTU2 resource exactly as received: a family name in two parts, their extensions, and fields that R4 lacks", async () => {
    const native = {
      ...{ resourceType: "Patient", id: "7", meta },
      name: [{ family: ["de la", "Cruz"], _family: [absent, null], given: ["Ana"] }],
      telecom: [
        { system: "phone", value: "1" },
        { system: "other", value: "x" },
      ],
      animal: { species: { text: "dog" } },
    };
    const { before, sent } = await changed("DSTU2", native, (one) => ({ ...one, birthDate: "1980-01-02" }));
    expect(before.name?.[0]?.family).toBe("de la Cruz");
    expect(sent).toEqual({ ...native, birthDate: "1980-01-02" });
    const renamed = await changed("DSTU2", native, (one) => ({ ...one, name: [{ ...one.name?.[0], family: "Reyes" }] }));
    expect(renamed.sent).toEqual({ ...native, name: [{ family: ["Reyes"], given: ["Ana"] }] });
  });

  it("reads names with a part that has only an extension, and leaves that part in place", async () => {
    for (const fhirVersion of ["R4", "STU3"] as const) {
      const native = { resourceType: "Patient", id: "7", meta, name: [{ family: "Ames", given: [null, "Ann"], _given: [absent, null] }] };
      const { before, sent } = await changed(fhirVersion, native, (one) => ({ ...one, gender: "female" }));
      expect(before.name).toEqual([{ family: "Ames", given: ["Ann"] }]);
      expect(sent).toEqual({ ...native, gender: "female" });
      const moved = await changed(fhirVersion, native, (one) => ({ ...one, name: [{ ...one.name?.[0], given: ["Anna"] }] }));
      expect(moved.sent).toEqual({ ...native, name: [{ family: "Ames", given: ["Anna"] }] });
    }
  });
});

describe("a resource without a field that R4 requires", () => {
  it.each<[string, object]>([
    ["Appointment", { participant: [] }],
    ["Schedule", { actor: [] }],
    ["Slot", { schedule: {} }],
    ["Coverage", { payor: [] }],
  ])("reads as if it were empty: %s", async (resourceType, required) => {
    const resource = { resourceType, id: "7" };
    const server = await serve((asked, response) =>
      json(response, 200, asked.url.endsWith("/7") ? resource : { resourceType: "Bundle", type: "searchset", entry: [{ resource }] }),
    );
    const client = server.client();
    expect(await client.read(resourceType as "Appointment", "7")).toEqual({ ...resource, ...required });
    expect(await client.search(resourceType as "Appointment", { patient: "Patient/1" })).toEqual([{ ...resource, ...required }]);
  });

  it("is not sent back with it", async () => {
    const statement = {
      resourceType: "CapabilityStatement",
      rest: [{ mode: "server", resource: [{ type: "Appointment", interaction: [{ code: "update" }] }] }],
    };
    const native = { resourceType: "Appointment", id: "7", meta: { versionId: "1" }, status: "booked" };
    const server = await serve((asked, response) =>
      json(response, 200, asked.url.endsWith("/metadata") ? statement : asked.method === "PUT" ? JSON.parse(asked.body) : native),
    );
    const client = server.client();
    const before = await client.read<Appointment>("Appointment", "7");
    await client.change(before, { ...before, status: "cancelled" });
    expect(JSON.parse(server.asked.at(-1)?.body ?? "{}")).toEqual({ ...native, status: "cancelled" });
  });
});

describe("error codes", () => {
  it("follow a vendor's numbers with any status, and are never retried", async () => {
    const cases: [number, string, string][] = [
      [403, "4130", "ehr_forbidden"],
      [400, "4131", "ehr_forbidden"],
      [404, "4134", "ehr_forbidden"],
      [400, "4118", "ehr_forbidden"],
      [400, "4102", "ehr_not_found"],
      [403, "4135", "ehr_unavailable"],
      [400, "59108", "ehr_invalid"],
      [400, "59141", "ehr_conflict"],
      [422, "59159", "ehr_invalid"],
      [400, "constructor", "ehr_invalid"],
    ];
    for (const [status, number, wanted] of cases) {
      const issue = [{ severity: "fatal", code: "business-rule", details: { coding: [{ code: number }] } }];
      const server = await serve((_, response) => json(response, status, { resourceType: "OperationOutcome", issue }));
      expect(await codeOf(server.client().read("Patient", "7")), number).toBe(wanted);
      expect(server.asked, number).toHaveLength(1);
    }
  });

  it("follow FHIR's issue types where the status is vague", async () => {
    const cases: [number, string | undefined, string][] = [
      [400, "not-supported", "ehr_unsupported"],
      [404, "not-supported", "ehr_unsupported"],
      [422, "duplicate", "ehr_conflict"],
      [422, "business-rule", "ehr_invalid"],
      [400, "forbidden", "ehr_forbidden"],
      [410, undefined, "ehr_not_found"],
      [412, undefined, "ehr_conflict"],
      [501, undefined, "ehr_unsupported"],
      [418, undefined, "ehr_invalid"],
    ];
    for (const [status, code, wanted] of cases) {
      const server = await serve((_, response) =>
        json(
          response,
          status,
          code
            ? {
                resourceType: "OperationOutcome",
                issue: [
                  { severity: "warning", code: "login" },
                  { severity: "error", code },
                ],
              }
            : {},
        ),
      );
      expect(await codeOf(server.client().create(patient)), `${status} ${code}`).toBe(wanted);
    }
  });
});
