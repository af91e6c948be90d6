import type { Shapes } from "../shape.ts";

/** http://hl7.org/fhir/STU3/resourcelist.html */
export const shapes: Shapes = {
  Patient:
    "identifier:Identifier[] active:boolean name:HumanName[] telecom:ContactPoint[] gender birthDate deceasedBoolean:boolean deceasedDateTime address:Address[] maritalStatus:CodeableConcept multipleBirthBoolean:boolean multipleBirthInteger:number photo:Attachment[] contact:any[] animal:any communication:any[] generalPractitioner:Reference[] managingOrganization:Reference link:PatientLink[]",
  PatientLink: "other:Reference! type!",
  Appointment:
    "identifier:Identifier[] status! serviceCategory:CodeableConcept serviceType:CodeableConcept[] specialty:CodeableConcept[] appointmentType:CodeableConcept reason:CodeableConcept[] indication:Reference[] priority:number description supportingInformation:Reference[] start end minutesDuration:number slot:Reference[] created comment incomingReferral:Reference[] participant:AppointmentParticipant[]! requestedPeriod:Period[]",
  AppointmentParticipant: "type:CodeableConcept[] actor:Reference required status!",
  Slot: "identifier:Identifier[] serviceCategory:CodeableConcept serviceType:CodeableConcept[] specialty:CodeableConcept[] appointmentType:CodeableConcept schedule:Reference! status! start! end! overbooked:boolean comment",
  Communication:
    "identifier:Identifier[] definition:Reference[] basedOn:Reference[] partOf:Reference[] status! notDone:boolean notDoneReason:CodeableConcept category:CodeableConcept[] medium:CodeableConcept[] subject:Reference recipient:Reference[] topic:Reference[] context:Reference sent received sender:Reference reasonCode:CodeableConcept[] reasonReference:Reference[] payload:Payload[] note:Annotation[]",
  CommunicationRequest:
    "identifier:Identifier[] basedOn:Reference[] replaces:Reference[] groupIdentifier:Identifier status! category:CodeableConcept[] priority medium:CodeableConcept[] subject:Reference recipient:Reference[] topic:Reference[] context:Reference payload:Payload[] occurrenceDateTime occurrencePeriod:Period authoredOn sender:Reference requester:Requester reasonCode:CodeableConcept[] reasonReference:Reference[] note:Annotation[]",
  Requester: "agent:Reference! onBehalfOf:Reference",
  Payload: "contentString contentAttachment:Attachment contentReference:Reference",
  EligibilityRequest:
    "identifier:Identifier[] status priority:CodeableConcept patient:Reference servicedDate servicedPeriod:Period created enterer:Reference provider:Reference organization:Reference insurer:Reference facility:Reference coverage:Reference businessArrangement benefitCategory:CodeableConcept benefitSubCategory:CodeableConcept",
  HumanName: "use text family given[] prefix[] suffix[] period:Period",
  ContactPoint: "system value use rank:number period:Period",
  Address: "use type text line[] city district state postalCode country period:Period",
  Identifier: "use type:CodeableConcept system value period:Period assigner:Reference",
  CodeableConcept: "coding:Coding[] text",
  Coding: "system version code display userSelected:boolean",
  Reference: "reference identifier:Identifier display",
  Period: "start end",
  Attachment: "contentType language data url size:number hash title creation",
  Annotation: "authorReference:Reference authorString time text!",
  Meta: "versionId lastUpdated profile[] security:Coding[] tag:Coding[]",
};
