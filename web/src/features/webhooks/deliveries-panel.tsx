import { Button } from "@chakra-ui/react/button";
import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { DeliveryStatus, webhooks as routes, type Webhook, type WebhookDelivery } from "@vitaline/contract";
import Send from "lucide-react/dist/esm/icons/send.mjs";
import { chakra } from "@chakra-ui/react/styled-system";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import { useState } from "react";
import { usePages } from "../../lib/api/use-pages.ts";
import { useSearchValue } from "../../lib/routing/search-params.ts";
import { ChoiceField } from "../../components/form/fields.tsx";
import { Empty } from "../../components/feedback/empty.tsx";
import { LoadMore } from "../../components/table/load-more.tsx";
import { Loadable, RowSkeletons } from "../../components/feedback/loadable.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { deliveryOutcome, deliveryStatuses, eventNames, shortAddress } from "./delivery-format.ts";
import { type Column, DataTable } from "../../components/table/data-table.tsx";
import { DateTime } from "../../components/data/text.tsx";
import { formatExactly, useZone } from "../../lib/format/times.ts";
import { DeliveryBadge, DeliveryDetail } from "./delivery-detail.tsx";

const noDeliveries = {
  title: "No deliveries yet",
  description: "They appear here as soon as an event occurs that a webhook subscribes to.",
};
const noMatches = { title: "No deliveries match", description: "Choose another webhook or status to see more." };

export const DeliveriesPanel = ({ webhooks }: { webhooks: readonly Webhook[] }) => {
  const { webhookId, setWebhookId, status, setStatus } = useFilters(webhooks);
  const pages = usePages(routes.listWebhookDeliveries, { query: { webhookId, status, limit: 20 } });
  const isFiltered = webhookId !== undefined || status !== undefined;
  return (
    <Panel
      title="Webhook deliveries"
      description="Deliveries of the last 30 days. Each is attempted up to eight times over about 31 hours."
      actions={
        <Button size="sm" variant="outline" aria-disabled={pages.isRefreshing} onClick={() => pages.isRefreshing || pages.refresh()}>
          {pages.isRefreshing ? "Refreshing..." : "Refresh deliveries"}
        </Button>
      }
    >
      {webhooks.length === 0 && !isFiltered ? null : (
        <SimpleGrid columns={{ base: 1, sm: 2 }} gap="4" mb="5" maxW="2xl">
          <ChoiceField
            label="Webhook"
            error={undefined}
            value={webhookId ?? ""}
            options={[{ value: "", label: "All webhooks" }, ...webhooks.map(({ id, url }) => ({ value: id, label: shortAddress(url) }))]}
            onChange={({ target }) => setWebhookId(target.value)}
          />
          <ChoiceField
            label="Status"
            error={undefined}
            value={status ?? ""}
            options={[
              { value: "", label: "Any status" },
              ...DeliveryStatus.options.map((value) => ({ value, label: deliveryStatuses[value].name })),
            ]}
            onChange={({ target }) => setStatus(target.value)}
          />
        </SimpleGrid>
      )}
      <Loadable loaded={pages} what="webhook deliveries" skeleton={<RowSkeletons />}>
        {(list) =>
          list.length === 0 && !pages.hasMore ? (
            <Empty icon={Send} {...(isFiltered ? noMatches : noDeliveries)} />
          ) : (
            <>
              <DeliveryTable deliveries={list} webhooks={webhooks} />
              <LoadMore pages={pages} what="deliveries" />
            </>
          )
        }
      </Loadable>
    </Panel>
  );
};

/** Unknown values in the URL count as all. */
const useFilters = (webhooks: readonly Webhook[]) => {
  const [webhook, setWebhook] = useSearchValue("webhook");
  const [delivery, setStatus] = useSearchValue("delivery");
  return {
    webhookId: webhooks.find(({ id }) => id === webhook)?.id,
    setWebhookId: (id: string) => setWebhook(id || undefined),
    status: DeliveryStatus.safeParse(delivery).data,
    setStatus: (status: string) => setStatus(status || undefined),
  };
};

type Props = { deliveries: readonly WebhookDelivery[]; webhooks: readonly Webhook[] };

const DeliveryTable = ({ deliveries, webhooks }: Props) => {
  const zone = useZone();
  const [openId, setOpenId] = useState<string>();
  const open = deliveries.find(({ id }) => id === openId);
  const webhookOf = ({ webhookId }: WebhookDelivery) => webhooks.find(({ id }) => id === webhookId);
  const columns: Column<WebhookDelivery>[] = [
    { title: "Time", cell: ({ createdAt }) => <DateTime at={createdAt} /> },
    { title: "Event", cell: ({ type }) => eventNames[type] },
    { title: "Sent to", cell: (delivery) => <Address webhook={webhookOf(delivery)} /> },
    { title: "Status", cell: ({ status }) => <DeliveryBadge status={status} /> },
    { title: "Outcome", cell: deliveryOutcome },
    { title: "Attempts", isNumeric: true, cell: ({ attempts }) => attempts.length },
    {
      title: "Details",
      cell: ({ id, type, createdAt }) => (
        <Button size="sm" variant="outline" onClick={() => setOpenId(id)}>
          Open
          <VisuallyHidden>{` ${eventNames[type]} of ${formatExactly(createdAt, zone)}`}</VisuallyHidden>
        </Button>
      ),
    },
  ];
  return (
    <>
      <DataTable caption="Webhook deliveries" columns={columns} rows={deliveries} keyOf={({ id }) => id} />
      {open ? <DeliveryDetail delivery={open} webhook={webhookOf(open)} onClose={() => setOpenId(undefined)} /> : null}
    </>
  );
};

const Address = ({ webhook }: { webhook: Webhook | undefined }) => (
  <chakra.span overflowWrap="anywhere">{webhook ? shortAddress(webhook.url) : "Deleted webhook"}</chakra.span>
);
