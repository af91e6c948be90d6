/** Whether a text, such as the address's, can be the id of something on this platform. */
export const isRecordId = (text: string | null | undefined): text is string => /^[0-9a-z]{26}$/.test(text ?? "");
