import type { Shapes } from "../shape.ts";

/** http://hl7.org/fhir/DSTU2/resourcelist.html */
export const shapes: Shapes = {
  Patient:
    "identifier:Identifier[] active:boolean name:HumanName[] telecom:ContactPoint[] gender birthDate deceasedBoolean:boolean deceasedDateTime address:Address[] maritalStatus:CodeableConcept multipleBirthBoolean:boolean multipleBirthInteger:number photo:Attachment[] contact:PatientContact[] animal:any communication:PatientCommunication[] careProvider:Reference[] managingOrganization:Reference link:PatientLink[]",
  PatientContact:
    "relationship:CodeableConcept[] name:HumanName telecom:ContactPoint[] address:Address gender organization:Reference period:Period",
  PatientCommunication: "language:CodeableConcept! preferred:boolean",
  PatientLink: "other:Reference! type!",
  Appointment:
    "identifier:Identifier[] status! type:CodeableConcept reason:CodeableConcept priority:number description start end minutesDuration:number slot:Reference[] comment participant:AppointmentParticipant[]!",
  AppointmentParticipant: "type:CodeableConcept[] actor:Reference required status!",
  Slot: "identifier:Identifier[] type:CodeableConcept schedule:Reference! freeBusyType! start! end! overbooked:boolean comment",
  Communication:
    "identifier:Identifier[] category:CodeableConcept sender:Reference recipient:Reference[] payload:Payload[] medium:CodeableConcept[] status encounter:Reference sent received reason:CodeableConcept[] subject:Reference requestDetail:Reference",
  CommunicationRequest:
    "identifier:Identifier[] category:CodeableConcept sender:Reference recipient:Reference[] payload:Payload[] medium:CodeableConcept[] requester:Reference status encounter:Reference scheduledDateTime scheduledPeriod:Period reason:CodeableConcept[] requestedOn subject:Reference priority:CodeableConcept",
  Payload: "contentString contentAttachment:Attachment contentReference:Reference",
  HumanName: "use text family[] given[] prefix[] suffix[] period:Period",
  ContactPoint: "system value use rank:number period:Period",
  Address: "use type text line[] city district state postalCode country period:Period",
  Identifier: "use type:CodeableConcept system value period:Period assigner:Reference",
  CodeableConcept: "coding:Coding[] text",
  Coding: "system version code display userSelected:boolean",
  Reference: "reference display",
  Period: "start end",
  Attachment: "contentType language data url size:number hash title creation",
  Meta: "versionId lastUpdated profile[] security:Coding[] tag:Coding[]",
};
