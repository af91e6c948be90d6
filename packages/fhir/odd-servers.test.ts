import type { Patient } from "fhir/r4.js";
import { afterEach, describe, expect, it } from "vitest";
import { codeOf, json, startOddServer, type OddServer } from "./fhir.fixture.ts";

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
  it("are never fetched from elsewhere: the token would go along", async () => {
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

  it("may come as relative links and may repeat a resource, but may not go in circles", async () => {
    const server = await serve((asked, response) =>
      json(response, 200, asked.method === "POST" ? bundle("Patient?page=2", "1", "2") : bundle(undefined, "2", "3")),
    );
    expect((await server.client().search<Patient>("Patient", {})).map(({ id }) => id)).toEqual(["1", "2", "3"]);
    const circle = await serve((_, response) => json(response, 200, bundle("?page=again", "1")));
    expect(await codeOf(circle.client().search("Patient", {}))).toBe("ehr_invalid");
  });

  it("leave out the warnings that come with them", async () => {
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

describe("what describes a patient", () => {
  it("travels in the body, and in the address only where a server refuses that; it is asked once", async () => {
    const server = await serve((asked, response) =>
      asked.method === "POST" ? json(response, 405, {}) : json(response, 200, bundle(undefined, "1")),
    );
    await server.client().search("Patient", { family: "Alderwick" });
    await server.client().search("Patient", { family: "Alderwick" });
    expect(server.asked.map(({ method, url }) => `${method} ${url}`)).toEqual([
      "POST /fhir/Patient/_search",
      "GET /fhir/Patient?family=Alderwick",
      "GET /fhir/Patient?family=Alderwick",
    ]);
    expect(server.asked[0]?.body).toBe("family=Alderwick");
  });
});

describe("answers that are not FHIR", () => {
  const signInPage = (_: unknown, response: Parameters<typeof json>[0]) =>
    void response.writeHead(200, { "Content-Type": "text/html" }).end("<html>Please sign in</html>");

  it("are no answer to a read, and leave a write unknown", async () => {
    const server = await serve(signInPage);
    expect(await codeOf(server.client().read("Patient", "7"))).toBe("ehr_invalid");
    expect(await codeOf(server.client().search("Patient", {}))).toBe("ehr_invalid");
    expect(await codeOf(server.client().capability())).toBe("ehr_invalid");
    expect(await codeOf(server.client().create(patient))).toBe("ehr_unknown_outcome");
    expect(await codeOf(server.client().update(patient))).toBe("ehr_unknown_outcome");
  });

  it("are refused when too large, elsewhere, or another resource", async () => {
    const large = await serve((_, response) => json(response, 200, { ...patient, text: "x".repeat(2 << 20) }));
    expect(await codeOf(large.client().read("Patient", "7"))).toBe("ehr_invalid");
    const redirect = await serve((_, response) => void response.writeHead(302, { Location: "https://elsewhere.example/" }).end());
    expect(await codeOf(redirect.client().read("Patient", "7"))).toBe("ehr_invalid");
    const another = await serve((_, response) => json(response, 200, { resourceType: "Practitioner", id: "7" }));
    expect(await codeOf(another.client().read("Patient", "7"))).toBe("ehr_invalid");
  });

  it("of a create tell its id by the Location alone, wherever that points", async () => {
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

  it("of an update are looked up", async () => {
    const outcome = { resourceType: "OperationOutcome", issue: [{ severity: "information", code: "informational" }] };
    const server = await serve((asked, response) =>
      json(response, 200, asked.method === "PUT" ? outcome : { ...patient, gender: "female" }),
    );
    expect((await server.client().update(patient)).gender).toBe("female");
  });
});

describe("versions and conditions", () => {
  it("go along as the server gave them, and a condition only where it is promised to count", async () => {
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

  it("ask for the statement with the token where it is not public", async () => {
    const server = await serve((asked, response) =>
      asked.headers.authorization ? json(response, 200, { resourceType: "CapabilityStatement", rest: [] }) : json(response, 401, {}),
    );
    expect((await server.client().capability()).supports("Patient", "read")).toBe(false);
  });
});

describe("refusals", () => {
  it("are told by FHIR's issue types where the status is vague", async () => {
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
