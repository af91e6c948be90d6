import { TextLink } from "../../components/layout/links.tsx";

/** What only the platform's operator changes. */
export const AskPlatform = ({ what }: { what: string }) => (
  <>
    {`To change ${what}, send a request under `}
    <TextLink to="/tenant/settings/requests">Requests</TextLink>.
  </>
);
