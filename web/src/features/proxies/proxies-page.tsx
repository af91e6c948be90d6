import { TenantPage } from "../../components/tenants/tenant-page.tsx";
import ProxiesPanel from "./proxies-panel.tsx";

const ProxiesPage = () => (
  <TenantPage title="Approved callers">
    <ProxiesPanel />
  </TenantPage>
);

export default ProxiesPage;
