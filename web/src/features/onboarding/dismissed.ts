import { mark, useMark } from "./marks.ts";

const what = "dismissed";

/** Somebody does not want to see the checklist of a tenant any more. */
export const dismissChecklist = (userId: string, tenantId: string): void => mark(what, userId, tenantId);

export const useChecklistDismissed = (userId: string, tenantId: string): boolean => useMark(what, userId, tenantId);
