import { mark, useMark } from "./marks.ts";

const what = "key-copied";

/** The tenant's API key was put into the clipboard here, so it can be given to a voice platform. */
export const rememberKeyCopied = (tenantId: string): void => mark(what, tenantId);

export const useKeyCopied = (tenantId: string): boolean => useMark(what, tenantId);
