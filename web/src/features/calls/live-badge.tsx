import { Badge } from "@chakra-ui/react/badge";
import type { CallStatus } from "@vitaline/contract";
import { isLive } from "./call-format.ts";

/** Beside the status, which is red for every call that has not been completed. */
export const LiveBadge = ({ status }: { status: CallStatus }) => (isLive(status) ? <Badge colorPalette="blue">Live</Badge> : null);
