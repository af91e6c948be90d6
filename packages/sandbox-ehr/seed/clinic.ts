import type { CodeableConcept, Reference } from "fhir/r4.js";
import type { Resource } from "../store/resource.ts";
import { clinicTimeZone } from "../store/clinic-time.ts";
import { clinicOrganizationId } from "./organizations.ts";
import { testData } from "./patients.ts";

const serviceTypeSystem = "https://sandbox-ehr.example/service-type";

const locations = [
  {
    id: "location-main",
    name: "Sampleton Main Clinic",
    line: "100 Sample Street",
    city: "Sampleton",
    postalCode: "02199",
    phone: "(617) 555-0190",
  },
  {
    id: "location-north",
    name: "Mockford North Clinic",
    line: "8 Fixture Lane",
    city: "Mockford",
    postalCode: "01099",
    phone: "(413) 555-0190",
  },
];

const specialties = {
  family: { code: "394814009", display: "General practice", service: "primary-care", serviceName: "Primary care visit" },
  pediatrics: { code: "394537008", display: "Pediatrics", service: "pediatrics", serviceName: "Pediatric visit" },
  cardiology: { code: "394579002", display: "Cardiology", service: "cardiology", serviceName: "Cardiology visit" },
  dermatology: { code: "394582007", display: "Dermatology", service: "dermatology", serviceName: "Dermatology visit" },
  gynecology: { code: "394586005", display: "Gynecology", service: "gynecology", serviceName: "Gynecology visit" },
  orthopedics: { code: "394801008", display: "Orthopedics", service: "orthopedics", serviceName: "Orthopedic visit" },
};

const practitioners: {
  id: string;
  given: string;
  family: string;
  gender: "female" | "male";
  specialty: keyof typeof specialties;
  location: number;
}[] = [
  { id: "practitioner-1", given: "Amara", family: "Larkmere", gender: "female", specialty: "family", location: 0 },
  { id: "practitioner-2", given: "Bernard", family: "Dunstead", gender: "male", specialty: "family", location: 1 },
  { id: "practitioner-3", given: "Celia", family: "Thornwick", gender: "female", specialty: "family", location: 0 },
  { id: "practitioner-4", given: "Dmitri", family: "Kelcombe", gender: "male", specialty: "pediatrics", location: 0 },
  { id: "practitioner-5", given: "Esther", family: "Marlstead", gender: "female", specialty: "cardiology", location: 0 },
  { id: "practitioner-6", given: "Farid", family: "Elmwick", gender: "male", specialty: "dermatology", location: 1 },
  { id: "practitioner-7", given: "Gloria", family: "Hazelcombe", gender: "female", specialty: "gynecology", location: 1 },
  { id: "practitioner-8", given: "Henrik", family: "Cedarmere", gender: "male", specialty: "orthopedics", location: 0 },
];

export const familyDoctors: Reference[] = practitioners
  .filter(({ specialty }) => specialty === "family")
  .map(({ id, given, family }) => ({ reference: `Practitioner/${id}`, display: `Dr. ${given} ${family}` }));

export function clinicResources(): Resource[] {
  return [...locations.map(locationOf), ...practitioners.flatMap(practitionerResources)];
}

function locationOf({ id, name, line, city, postalCode, phone }: (typeof locations)[number]): Resource {
  return {
    resourceType: "Location",
    id,
    meta: testData,
    extension: [{ url: "http://hl7.org/fhir/StructureDefinition/timezone", valueCode: clinicTimeZone }],
    status: "active",
    name,
    telecom: [{ system: "phone", value: phone }],
    address: { line: [line], city, state: "MA", postalCode, country: "US" },
  };
}

const roleOfDoctor: CodeableConcept = {
  coding: [{ system: "http://terminology.hl7.org/CodeSystem/practitioner-role", code: "doctor", display: "Doctor" }],
  text: "Doctor",
};

function practitionerResources({ id, given, family, gender, specialty, location }: (typeof practitioners)[number]): Resource[] {
  const { code, display, service, serviceName } = specialties[specialty];
  const place = locations[location]!;
  const practitioner = { reference: `Practitioner/${id}`, display: `Dr. ${given} ${family}` };
  const at = { reference: `Location/${place.id}`, display: place.name };
  const specialtyConcept: CodeableConcept = { coding: [{ system: "http://snomed.info/sct", code, display }], text: display };
  const serviceType: CodeableConcept = { coding: [{ system: serviceTypeSystem, code: service, display: serviceName }], text: serviceName };
  return [
    {
      resourceType: "Practitioner",
      id,
      meta: testData,
      active: true,
      identifier: [{ system: "https://sandbox-ehr.example/practitioner", value: id.replace("practitioner-", "DR") }],
      name: [{ use: "official", family, given: [given], prefix: ["Dr."] }],
      gender,
      telecom: [{ system: "phone", use: "work", value: place.phone }],
    },
    {
      resourceType: "PractitionerRole",
      id: `role-${id}`,
      meta: testData,
      active: true,
      practitioner,
      organization: { reference: `Organization/${clinicOrganizationId}` },
      code: [roleOfDoctor],
      location: [at],
      specialty: [specialtyConcept],
    },
    {
      resourceType: "Schedule",
      id: `schedule-${id}`,
      meta: testData,
      active: true,
      serviceType: [serviceType],
      specialty: [specialtyConcept],
      actor: [practitioner, at],
    },
  ];
}
