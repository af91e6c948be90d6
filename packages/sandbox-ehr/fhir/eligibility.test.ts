import type { CoverageEligibilityResponse } from "fhir/r4.js";
import { describe, expect, it } from "vitest";
import { openClinic } from "../clinic.fixture.ts";
import type { Stored } from "../store/resource.ts";

const clinic = await openClinic();

async function ask(patientId: string, more: object = {}): Promise<CoverageEligibilityResponse> {
  const { status, body } = await clinic.create("CoverageEligibilityRequest", {
    resourceType: "CoverageEligibilityRequest",
    status: "active",
    purpose: ["benefits"],
    patient: { reference: `Patient/${patientId}` },
    created: "2026-11-23",
    insurer: { reference: "Organization/organization-payer-1" },
    ...more,
  });
  expect(status).toBe(201);
  const answers = clinic.found<CoverageEligibilityResponse>(
    "CoverageEligibilityResponse",
    `request=CoverageEligibilityRequest/${(body as unknown as Stored).id}`,
  );
  expect(answers).toHaveLength(1);
  return answers[0]!;
}

describe("an eligibility request", () => {
  it("is answered at once with coverage in force and the cost of a visit", async () => {
    const answer = await ask("patient-1001");
    expect(answer).toMatchObject({ outcome: "complete", patient: { reference: "Patient/patient-1001" } });
    expect(answer.insurance).toMatchObject([{ inforce: true, item: [{ benefit: [{ allowedMoney: { value: 25, currency: "USD" } }] }] }]);
  });

  it("tells an expired coverage from one that was in force on the day of service", async () => {
    expect((await ask("patient-1003")).insurance).toMatchObject([{ inforce: false }]);
    expect((await ask("patient-1003", { servicedDate: "2026-09-01" })).insurance).toMatchObject([{ inforce: true }]);
    const named = { insurance: [{ coverage: { reference: "Coverage/coverage-1002-2" } }] };
    expect((await ask("patient-1002", named)).insurance).toMatchObject([
      { coverage: { reference: "Coverage/coverage-1002-2" }, inforce: false },
    ]);
  });

  it("says when no coverage is known", async () => {
    expect(await ask("patient-1005")).toMatchObject({ outcome: "error", error: [{ code: { coding: [{ code: "no-coverage" }] } }] });
  });

  it("is refused without a patient, a purpose or an insurer", async () => {
    const whole = {
      resourceType: "CoverageEligibilityRequest",
      status: "active",
      purpose: ["benefits"],
      patient: { reference: "Patient/patient-1001" },
      created: "2026-11-23",
      insurer: { reference: "Organization/organization-payer-1" },
    };
    for (const gone of ["purpose", "patient", "insurer", "created", "status"])
      expect((await clinic.create("CoverageEligibilityRequest", { ...whole, [gone]: undefined })).status, gone).toBe(422);
    expect((await clinic.create("CoverageEligibilityRequest", { ...whole, purpose: ["gossip"] })).status).toBe(422);
    expect((await clinic.create("CoverageEligibilityRequest", { ...whole, patient: { reference: "Patient/unknown" } })).status).toBe(422);
  });
});

describe("a message", () => {
  const whole = {
    resourceType: "Communication",
    status: "completed",
    subject: { reference: "Patient/patient-1001" },
    recipient: [{ reference: "Group/group-refills" }],
    payload: [{ contentString: "Please renew metformin" }],
  };

  it("is stored and found again, as is a request for one", async () => {
    expect((await clinic.create("Communication", whole)).status).toBe(201);
    expect(clinic.found("Communication", "patient=patient-1001&recipient=Group/group-refills")).toHaveLength(1);
    expect((await clinic.create("CommunicationRequest", { ...whole, resourceType: "CommunicationRequest", status: "active" })).status).toBe(
      201,
    );
    expect(clinic.found("CommunicationRequest", "subject=patient-1001&status=active")).toHaveLength(1);
  });

  it("is refused when it is not valid R4", async () => {
    const wrong: [object, number][] = [
      [{ payload: undefined }, 422],
      [{ payload: [{ contentString: "a", contentReference: { reference: "Patient/patient-1001" } }] }, 422],
      [{ status: "sent" }, 422],
      [{ topic: { text: "" } }, 400],
      [{ definition: [{ reference: "x" }] }, 400],
      [{ context: { reference: "Encounter/1" } }, 400],
      [{ subject: null }, 400],
      [{ sent: "yesterday" }, 422],
      [{ recipient: [{ reference: "Group/unknown" }] }, 422],
    ];
    for (const [change, status] of wrong)
      expect((await clinic.create("Communication", { ...whole, ...change })).status, JSON.stringify(change)).toBe(status);
  });
});
