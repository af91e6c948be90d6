import { tenantCalls } from "@vitaline/contract";
import { useLocation, useNavigate, useSearchParams } from "react-router-dom";

/** Where a call is opened: it is a step in the browser's history, so that going back closes it. */
export const openedFromTable = { isOpenedFromTable: true };

/** The call that the address names, if it can be one. */
export const useOpenCall = () => {
  const [search, setSearch] = useSearchParams();
  const { state } = useLocation();
  const navigate = useNavigate();
  const named = tenantCalls.readCall.params.safeParse({ callId: search.get("call") }).data?.callId;
  const close = () => {
    if ((state as Partial<typeof openedFromTable> | null)?.isOpenedFromTable) void navigate(-1);
    else setSearch((now) => (now.delete("call"), now), { replace: true });
  };
  return { openCall: named, close };
};

/** The address that shows a call over what is shown already. */
export const callAddress = (search: URLSearchParams, callId: string): string => {
  const next = new URLSearchParams(search);
  next.set("call", callId);
  return `?${next.toString()}`;
};
