import type { Example } from "../sdk/define-tool.ts";
import { addressQuestions, contactQuestions, personQuestions, type Questions } from "../speech/questions.ts";
import { handedOver, notSteppedUp, notVerified, onHold, stillMissing, verified } from "./answers.ts";
import type { Output } from "./schema.ts";

export const questions = {
  ...personQuestions,
  phoneNumber: { en: "What's the phone number or zip code we have on file?", es: "¿Qué teléfono o código postal tenemos registrado?" },
  zipCode: addressQuestions.zipCode,
  address: addressQuestions.address,
  medicalRecordNumber: { en: "What's your medical record number here?", es: "¿Cuál es su número de expediente aquí?" },
  email: contactQuestions.email,
  callerName: { en: "May I have your own full name?", es: "¿Me dice su propio nombre completo?" },
  callerPhone: { en: "What's your own phone number?", es: "¿Cuál es su propio número de teléfono?" },
  callerBirthDate: { en: "What's your own date of birth?", es: "¿Cuál es su propia fecha de nacimiento?" },
  callingFor: { en: "Is this for you or for someone else?", es: "¿Es para usted o para otra persona?" },
  sendCode: { en: "Shall I send you the code by text or by email?", es: "¿Le envío el código por mensaje de texto o por correo?" },
  code: { en: "What are the six digits of the code?", es: "¿Cuáles son los seis dígitos del código?" },
} as const satisfies Questions;

const sent = { verified: true, level: 1, attemptsLeft: 3 } as const;

export const examples: readonly Example<Output>[] = [
  { situation: "Verified", output: verified(1, 3, "Ada") },
  { situation: "Verified by two details", output: verified(2, 3, "Ada") },
  { situation: "Verified, without a name to say", output: verified(1, 3) },
  { situation: "One more detail raised the level", output: { ...verified(2, 3), further: true } },
  { situation: "One more detail of the same kind", output: { ...verified(1, 3), further: true } },
  { situation: "A code was sent by text", output: { ...sent, codeSentTo: { channel: "sms", hint: "77" } } },
  { situation: "A code was sent by email", output: { ...sent, codeSentTo: { channel: "email", hint: "A" } } },
  { situation: "Something does not match", output: notVerified(2).output },
  { situation: "Something does not match, before the last try", output: notVerified(1).output },
  { situation: "The last try failed", output: notVerified(0).output },
  { situation: "A wrong code", output: notSteppedUp("code", 1, 2).output },
  { situation: "A wrong code, before the last try", output: notSteppedUp("code", 1, 1).output },
  { situation: "The last code was wrong", output: notSteppedUp("code", 1, 0).output },
  { situation: "A wrong further detail", output: notSteppedUp("detail", 1, 2).output },
  { situation: "A wrong further detail, before the last try", output: notSteppedUp("detail", 1, 1).output },
  { situation: "The last further detail was wrong", output: notSteppedUp("detail", 1, 0).output },
  { situation: "A parent", output: { ...verified(2, 3), scope: "all" } },
  { situation: "A parent or proxy, without clinical matters", output: { ...verified(2, 3), scope: "no_clinical" } },
  { situation: "A proxy for appointments", output: { ...verified(1, 3), scope: "appointments" } },
  { situation: "About someone else, whom the clinic has to help", output: handedOver.output },
  { situation: "A parent or proxy has not said who the patient is", output: stillMissing("patient_details").output },
  { situation: "A parent or proxy has not said who they are", output: stillMissing("caller_details").output },
  { situation: "Staff must take the call", output: onHold.output },
];
