import type { Bundle, CapabilityStatement, Patient, Schedule, Slot } from "fhir/r4.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSession } from "../auth/session.fixture.ts";

let session: Awaited<ReturnType<typeof openSession>>;
beforeAll(async () => void (session = await openSession()));
afterAll(() => session.close());

const form = (fields: Record<string, string>) => new URLSearchParams(fields);
const codesOf = ({ issue }: { issue: { details?: { coding: { code: string }[] } }[] }) =>
  issue.map(({ details }) => details?.coding[0]?.code);

it("every server supports exactly the interactions of its capability statement", async () => {
  const { servers } = session.sandbox;
  const interactions = ["read", "search-type", "create", "update", "patch"] as const;
  for (const address of Object.values(servers).flatMap((versions) => Object.values(versions))) {
    const scope = address.baseUrl.includes("cerner")
      ? "system/Patient.cruds system/Appointment.cruds system/Communication.cruds system/Slot.cruds"
      : "system/*.cruds";
    const call = session.at(address, { scope });
    const { body }: { body: CapabilityStatement } = await call("GET", "/metadata");
    expect(body.software?.name).toBeTruthy();
    for (const type of ["Patient", "Appointment", "Communication", "Slot"]) {
      const said = body.rest![0]!.resource!.find((one) => one.type === type)?.interaction?.map(({ code }) => code) ?? [];
      const requests = {
        read: () => call("GET", `/${type}/none`),
        "search-type": () => call("GET", `/${type}?_id=none`),
        create: () => call("POST", `/${type}`, { resourceType: type }),
        update: () => call("PUT", `/${type}/none`, { resourceType: type, id: "none" }, { "If-Match": 'W/"1"' }),
        patch: () => call("PATCH", `/${type}/none`, [], { "If-Match": 'W/"1"', "Content-Type": "application/json-patch+json" }),
      };
      for (const one of interactions) {
        const { status } = await requests[one]();
        if (said.includes(one)) expect([404, 405].includes(status) && status === 405, `${address.baseUrl} ${one} ${type}`).toBe(false);
        else expect([404, 405], `${address.baseUrl} ${one} ${type}`).toContain(status);
      }
    }
  }
});

describe("readonly", () => {
  it("shows records and has neither writing nor appointments", async () => {
    const call = session.at(session.sandbox.servers.readonly.R4);
    expect((await call("GET", "/Patient/patient-1001")).status).toBe(200);
    expect((await call("GET", "/Coverage?patient=patient-1001")).status).toBe(200);
    expect((await call("POST", "/Patient", { resourceType: "Patient" })).status).toBe(405);
    for (const type of ["Appointment", "Slot", "Schedule"]) expect((await call("GET", `/${type}`)).status).toBe(404);
    expect((await call("POST", "", { resourceType: "Bundle", type: "transaction", entry: [] })).status).toBe(405);
  });
});

describe("epic-like", () => {
  const r4 = () => session.at(session.sandbox.servers["epic-like"].R4);
  const stu3 = () => session.at(session.sandbox.servers["epic-like"].STU3);
  const search = (fields: Record<string, string>) => r4()("POST", "/Patient/_search", form(fields));
  const known = () => session.sandbox.patients[0]!;

  it("finds a patient with a misspelled family name and scores each match", async () => {
    const { given, birthDate, family } = known();
    const { body } = await search({ given, family: "Somebodyelse", birthdate: birthDate });
    expect(body.entry[0].resource.name[0].family).toBe(family);
    expect(body.entry[0].search.score).toBeLessThan(1);
    expect((await search({ given, family, birthdate: birthDate })).body.entry[0].search.score).toBe(1);
  });

  it("requires enough parameters and numbers its errors", async () => {
    const { given, family } = known();
    const tooFew: Record<string, string>[] = [{ family }, { given, family }, { family, birthdate: "1950-01-01" }];
    for (const fields of tooFew) {
      const { status, body } = await search(fields);
      expect([status, codesOf(body)]).toEqual([400, ["4111"]]);
    }
    expect(codesOf((await r4()("GET", "/Observation?patient=patient-1001")).body)).toEqual(["4111"]);
    expect(codesOf((await r4()("GET", "/Patient/none")).body)).toEqual(["4102"]);
    expect(codesOf((await r4()("GET", "/Appointment?patient=patient-1001&date=sa2026-01-01")).body)).toEqual(["4100"]);
    expect(codesOf((await r4()("POST", "/Patient", { resourceType: "Patient", name: [{ family }] })).body)).toEqual(["59108"]);
    const twice = { resourceType: "Patient", name: [{ family, given: [given] }], birthDate: known().birthDate };
    expect(codesOf((await r4()("POST", "/Patient", twice)).body)).toEqual(["59141"]);
  });

  it("returns an OperationOutcome entry for an empty result", async () => {
    const { status, body } = await r4()("GET", "/Coverage?patient=unknown");
    expect([status, body.total, body.entry.length]).toEqual([200, 0, 1]);
    expect([body.entry[0].search.mode, ...codesOf(body.entry[0].resource)]).toEqual(["outcome", "4101"]);
  });

  it("has ids of its own, the same in R4 and STU3, and takes them back", async () => {
    const { body } = await r4()("GET", `/Patient?identifier=https://sandbox-ehr.example/mrn|${known().mrn}`);
    const { id } = body.entry[0].resource;
    expect(id).toMatch(/^e[A-Za-z0-9.-]{10,63}$/);
    expect((await r4()("GET", `/Patient/${id}`)).body.id).toBe(id);
    expect((await stu3()("GET", `/Patient/${id}`)).body.id).toBe(id);
    const { body: found } = await r4()("GET", `/Condition?patient=${id}&category=problem-list-item`);
    for (const { resource } of found.entry)
      if (resource.resourceType === "Condition") expect(resource.subject.reference).toBe(`Patient/${id}`);
    expect(found.entry.length).toBeGreaterThan(0);
  });

  it("matches a patient, and books in STU3 what R4 then shows", async () => {
    const { given, family, birthDate, phone, zip } = known();
    const { body: matched } = await r4()("POST", "/Patient/$match", {
      resourceType: "Parameters",
      parameter: [
        {
          name: "resource",
          resource: {
            resourceType: "Patient",
            name: [{ family, given: [given] }],
            birthDate,
            telecom: [{ system: "phone", value: phone }],
            address: [{ postalCode: zip }],
          },
        },
        { name: "onlyCertainMatches", valueBoolean: true },
      ],
    });
    const { id } = matched.entry[0].resource;
    const patient = { name: "patient", valueReference: { reference: `Patient/${id}` } };
    const [from, to] = [2, 9].map((days) => new Date(Date.now() + days * 86_400_000).toISOString());
    const { status, body } = await stu3()("POST", "/Appointment/$find", {
      resourceType: "Parameters",
      parameter: [patient, { name: "startTime", valueDateTime: from }, { name: "endTime", valueDateTime: to }],
    });
    expect([status, body.entry[0].resource.status]).toEqual([200, "proposed"]);
    const appointment = { name: "appointment", valueReference: { reference: `Appointment/${body.entry[0].resource.id}` } };
    const { body: booked } = await stu3()("POST", "/Appointment/$book", { resourceType: "Parameters", parameter: [patient, appointment] });
    const [{ resource }] = booked.entry;
    expect(resource.status).toBe("booked");
    expect((await r4()("GET", `/Appointment/${resource.id}`)).body.participant[0].actor.reference).toBe(`Patient/${id}`);
    expect((await r4()("POST", "/Appointment", resource)).status).toBe(405);
    expect((await stu3()("GET", `/Appointment/${resource.id}`)).status).toBe(405);
  });

  it("stores a patient without unsupported elements", async () => {
    const { body, headers, status } = await r4()("POST", "/Patient", {
      resourceType: "Patient",
      name: [{ family: "Newcombe", given: ["Ada"] }],
      birthDate: "1980-02-03",
      multipleBirthBoolean: false,
    });
    expect([status, body.multipleBirthBoolean]).toEqual([201, undefined]);
    expect(headers.get("location")).toContain(`/epic-like/api/FHIR/R4/Patient/${body.id}/_history/1`);
  });

  it("only reads in DSTU2", async () => {
    const call = session.at(session.sandbox.servers["epic-like"].DSTU2);
    expect((await call("GET", "/MedicationOrder?patient=patient-1001")).status).toBe(200);
    expect((await call("POST", "/Patient", { resourceType: "Patient" })).status).toBe(405);
    expect((await call("GET", "/Appointment?patient=patient-1001")).status).toBe(404);
  });
});

describe("cerner-like", () => {
  const scope = ["Patient", "Appointment", "Slot", "Communication", "Practitioner"].map((type) => `system/${type}.crus`).join(" ");
  const r4 = () => session.at(session.sandbox.servers["cerner-like"].R4, { scope });
  const range = () => [2, 9].map((days, index) => `${index ? "lt" : "ge"}${new Date(Date.now() + days * 86_400_000).toISOString()}`);
  const slotSearch = () =>
    `/Slot?status=free&${range()
      .map((edge) => `start=${edge}`)
      .join("&")}&_sort=start`;

  it("knows one tenant", async () => {
    const { origin, servers } = session.sandbox;
    const elsewhere = await fetch(servers["cerner-like"].R4.baseUrl.replace("/sandbox", "/another") + "/metadata");
    expect([elsewhere.status, await elsewhere.text()]).toEqual([403, expect.stringContaining("Tenant not valid or accessible")]);
    expect((await fetch(`${origin}/cerner-like/stu3/sandbox/metadata`)).status).toBe(404);
  });

  it("takes RS384 alone, and no wildcard scopes", async () => {
    const { tokenUrl } = servers();
    const ask = async (alg: string, wanted: string) =>
      (
        await session.askTokenOf(tokenUrl, {
          scope: wanted,
          client_assertion: await session.client.assertion(tokenUrl, {}, { alg, kid: `demo-${alg.toLowerCase()}` }),
        })
      ).body;
    expect(await ask("RS384", scope)).toMatchObject({ token_type: "bearer", scope });
    expect(await ask("RS256", scope)).toMatchObject({ error: "invalid_client" });
    expect(await ask("ES384", scope)).toMatchObject({ error: "invalid_client" });
    for (const wildcard of ["system/*.read", "system/Patient.*"])
      expect(await ask("RS384", wildcard)).toMatchObject({ error: "invalid_scope" });
  });
  const servers = () => session.sandbox.servers["cerner-like"].R4;

  it("wants each search's own parameters, and dates in pairs", async () => {
    const refused = [
      "/Patient",
      "/Patient?gender=female",
      "/Practitioner",
      "/Slot?status=free",
      `/Slot?start=${range()[0]}`,
      "/Slot?start=ge2030-01-01&start=lt2030-02-01",
      "/Appointment?patient=patient-1001",
      "/Patient?family=a&family=b",
      "/Communication",
    ];
    for (const path of refused) expect([path, (await r4()("GET", path)).status]).toEqual([path, 400]);
    expect((await r4()("GET", slotSearch())).status).toBe(200);
    expect(
      (
        await r4()(
          "GET",
          `/Appointment?patient=patient-1001&${range()
            .map((edge) => `date=${edge}`)
            .join("&")}`,
        )
      ).status,
    ).toBe(200);
  });

  it("shows an entry of the last page again on the next", async () => {
    const { body: first }: { body: Bundle } = await r4()("GET", `${slotSearch()}&_count=5`);
    const next = first.link!.find(({ relation }) => relation === "next")!.url;
    const { body: second }: { body: Bundle } = await r4()("GET", next.slice(servers().baseUrl.length));
    expect(second.entry![0]!.resource!.id).toBe(first.entry![4]!.resource!.id);
    expect(second.entry).toHaveLength(6);
  });

  it("leaves merged charts out of searches and reads them by id", async () => {
    const { body } = await r4()("GET", "/Patient/patient-1200");
    expect(body.link[0].type).toBe("replaced-by");
    expect((await r4()("GET", "/Patient?_id=patient-1200")).body.entry).toEqual([]);
  });

  it("books one slot for one patient, answers without a body, and changes by patch alone", async () => {
    const { body } = await r4()("GET", slotSearch());
    const slotId = body.entry[0].resource.id as string;
    const booking = {
      resourceType: "Appointment",
      status: "booked",
      slot: [{ reference: `Slot/${slotId}` }],
      participant: [{ actor: { reference: "Patient/patient-1001" }, status: "accepted" }],
    };
    const wrong = [
      { ...booking, status: "pending" },
      { ...booking, slot: [] },
      { ...booking, participant: [{ ...booking.participant[0], status: "needs-action" }] },
      { ...booking, participant: [...booking.participant, { actor: { reference: "Practitioner/practitioner-1" }, status: "accepted" }] },
      { ...booking, modifierExtension: [{ url: "http://x.example", valueBoolean: true }] },
      { ...booking, implicitRules: "http://x.example" },
    ];
    for (const one of wrong) expect((await r4()("POST", "/Appointment", one)).status).toBe(422);
    const made = await r4()("POST", "/Appointment", booking);
    expect([made.status, made.body]).toEqual([201, ""]);
    expect(made.headers.get("opc-request-id")).toBeTruthy();
    const path = made.headers
      .get("location")!
      .slice(servers().baseUrl.length)
      .replace(/\/_history.*$/, "");
    const cancel = [{ op: "replace", path: "/status", value: "cancelled" }];
    const type = { "Content-Type": "application/json-patch+json" };
    expect((await r4()("PUT", path, booking)).status).toBe(405);
    expect((await r4()("PATCH", path, cancel, type)).status).toBe(400);
    expect((await r4()("PATCH", path, cancel, { ...type, "If-Match": 'W/"77"' })).status).toBe(409);
    expect((await r4()("PATCH", path, cancel, { ...type, "If-Match": made.headers.get("etag")! })).status).toBe(200);
    expect((await r4()("GET", `/Slot/${slotId}`)).body.status).toBe("free");
  });

  it("takes messages to staff, from staff, as attachments only", async () => {
    const message = {
      resourceType: "Communication",
      status: "completed",
      subject: { reference: "Patient/patient-1001" },
      recipient: [{ reference: "Practitioner/practitioner-1" }],
      sender: { reference: "Practitioner/practitioner-2" },
      payload: [{ contentAttachment: { contentType: "text/plain", data: "aGVsbG8=" } }],
    };
    for (const change of [
      { recipient: [{ reference: "Patient/patient-1001" }] },
      { sender: { reference: "Patient/patient-1001" } },
      { payload: [{ contentString: "hello" }] },
    ])
      expect((await r4()("POST", "/Communication", { ...message, ...change })).status).toBe(422);
    expect((await r4()("POST", "/Communication", message)).status).toBe(201);
  });

  it("accepts only requested appointments in DSTU2", async () => {
    const call = session.at(session.sandbox.servers["cerner-like"].DSTU2, { scope, type: "application/json+fhir" });
    const slot = await session.freeSlot();
    const wish = {
      resourceType: "Appointment",
      status: "proposed",
      slot: [{ reference: `Slot/${slot.id}` }],
      participant: [{ actor: { reference: "Patient/patient-1003" }, status: "needs-action" }],
    };
    expect((await call("POST", "/Appointment", { ...wish, status: "booked" })).status).toBe(422);
    expect((await call("POST", "/Appointment", wish)).status).toBe(201);
    const { body, headers } = await call("GET", "/Patient/patient-1003");
    expect((await call("PUT", "/Patient/patient-1003", body)).status).toBe(400);
    expect((await call("PUT", "/Patient/patient-1003", body, { "If-Match": headers.get("etag")! })).status).toBe(200);
  });
});

describe("hapi-like", () => {
  const plainly = () => session.at(session.sandbox.servers["hapi-like"].R4, { scope: "system/*.cruds" });
  const r4 = () => {
    const call = plainly();
    return async (...request: Parameters<typeof call>) => {
      const answer = await call(...request);
      return answer.status === 429 ? call(...request) : answer;
    };
  };
  type Found = { status: number; body: Bundle };
  const slots = async (more = ""): Promise<Found> => r4()("GET", `/Slot?status=free&start=ge${new Date().toISOString()}${more}`);

  it("returns pages of twenty in no order without includes, and refuses them every other time", async () => {
    const inOrder = [await slots("&_count=200&_sort=-start"), await slots("&_count=200&_sort=-start")];
    expect(inOrder.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    const { entry = [], link = [] } = inOrder.find(({ status }) => status === 200)!.body;
    expect([entry.length, link.some(({ relation }) => relation === "next")]).toEqual([20, true]);
    const starts = entry.map(({ resource }) => Date.parse((resource as Slot).start));
    expect(starts).not.toEqual(starts.toSorted((a, b) => b - a));
    const asked = [await slots("&_include=Slot:schedule"), await slots("&_include=Slot:schedule")];
    expect(asked.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    const taken = asked.find(({ status }) => status === 200)!;
    expect(taken.body.entry?.every(({ search }) => search?.mode === "match")).toBe(true);
  });

  it("has twelve doctors with sixteen slots a day over three months, never busy, and two unused schedules", async () => {
    const schedules = ((await r4()("GET", "/Schedule?_count=100")) as Found).body.entry?.map(({ resource }) => resource as Schedule) ?? [];
    const gone = (await r4()("GET", "/Practitioner?_id=practitioner-gone")) as Found;
    expect(gone.body.entry?.[0]?.resource).toMatchObject({ active: false });
    const isUsed = ({ active, actor }: Schedule) =>
      active && actor.every(({ reference }) => reference !== "Practitioner/practitioner-gone");
    expect([schedules.filter(isUsed).length, schedules.length]).toEqual([12, 14]);
    const day = new Date(Date.now() + 80 * 86_400_000);
    while ([0, 6].includes(day.getUTCDay())) day.setUTCDate(day.getUTCDate() + 1);
    const date = day.toISOString().slice(0, 10);
    const totalOf = async (more: string) => ((await r4()("GET", `/Slot?start=${date}&_count=1${more}`)) as Found).body.total;
    expect([await totalOf(""), await totalOf("&status=free")]).toEqual([14 * 16, 14 * 16]);
    const appointments = (await r4()("GET", `/Appointment?date=${date}&_count=1`)) as Found;
    expect(appointments.body.total).toBeGreaterThan(20);
  });

  it("keeps a merged and a retired chart of a patient, and compares accents every other time", async () => {
    const { given, family, birthDate } = session.sandbox.patients[0]!;
    const charts = (await r4()("GET", `/Patient?family=${family}&given=${given}&birthdate=${birthDate}`)) as Found;
    expect(charts.body.entry?.map(({ resource }) => (resource as Patient).active).toSorted()).toEqual([false, false, true]);
    await session.sandbox.put({ resourceType: "Patient", id: "accented", name: [{ family: "Élan" }], birthDate: "1961-02-03" });
    const found = async () => ((await r4()("GET", "/Patient?family=Elan&birthdate=1961-02-03")) as Found).body.entry?.length ?? 0;
    expect([await found(), await found()].toSorted()).toEqual([0, 1]);
  });

  it("refuses every fourth create with a temporary conflict and stores nothing then", async () => {
    const patient = { resourceType: "Patient", name: [{ family: "Passing" }], birthDate: "1961-02-03" };
    const answers = [];
    for (let count = 0; count < 4; count++) answers.push((await r4()("POST", "/Patient", patient)).status);
    expect(answers.toSorted()).toEqual([201, 201, 201, 409]);
    expect(((await r4()("GET", "/Patient?family=Passing")) as Found).body.total).toBe(3);
  });

  it("omits the display of references and the category of conditions", async () => {
    const schedules: Found = await r4()("GET", "/Schedule");
    expect(JSON.stringify(schedules.body)).toContain('"reference":"Practitioner/');
    expect(JSON.stringify(schedules.body)).not.toMatch(/"reference":"[^"]+","display"|"display":"[^"]+","reference"/);
    const conditions: Found = await r4()("GET", "/Condition");
    expect(conditions.body.entry?.length).toBeGreaterThan(0);
    expect(JSON.stringify(conditions.body)).not.toContain('"category"');
  });

  it("refuses POST searches and answers some requests with Retry-After", async () => {
    const { baseUrl } = session.sandbox.servers["hapi-like"].R4;
    const posted: Found = await r4()("POST", "/Patient/_search", new URLSearchParams({ family: "Alderwick" }));
    expect(posted.status).toBe(400);
    const call = plainly();
    const answers = await Promise.all(Array.from({ length: 40 }, () => call("GET", "/Patient?_id=none")));
    const paused = answers.filter(({ status }) => status === 429);
    expect([baseUrl.endsWith("/hapi-like/r4"), paused.length]).toEqual([true, 1]);
    expect(Date.parse(paused[0]?.headers.get("retry-after") ?? "")).toBeGreaterThan(Date.now() - 5000);
  });
});
