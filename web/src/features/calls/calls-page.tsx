import { TenantPage } from "../../components/tenants/tenant-page.tsx";
import CallsPanel from "./list/calls-panel.tsx";

const CallsPage = () => (
  <TenantPage title="Calls">
    <CallsPanel />
  </TenantPage>
);

export default CallsPage;
