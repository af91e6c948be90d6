import { tenantCalls } from "@vitaline/contract";
import { useLocation, useNavigate, useSearchParams } from "react-router-dom";

/** Navigation state of links in the table: closing the call then goes back in the history. */
export const openedFromTable = { isOpenedFromTable: true };

export const useOpenCall = () => {
  const [search, setSearch] = useSearchParams();
  const { state } = useLocation();
  const navigate = useNavigate();
  const named = tenantCalls.readCall.params.safeParse({ callId: search.get("call") }).data?.callId;
  const close = () => {
    if ((state as Partial<typeof openedFromTable> | null)?.isOpenedFromTable) void navigate(-1);
    else setSearch((now) => (now.delete("call"), now.delete("moment"), now), { replace: true });
  };
  return { openCall: named, close };
};

export const callAddress = (search: URLSearchParams, callId: string): string => {
  const next = new URLSearchParams(search);
  next.set("call", callId);
  next.delete("moment");
  return `?${next.toString()}`;
};
