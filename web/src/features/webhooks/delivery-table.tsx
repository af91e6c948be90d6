import { Button } from "@chakra-ui/react/button";
import { chakra } from "@chakra-ui/react/styled-system";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import type { Webhook, WebhookDelivery } from "@vitaline/contract";
import { useState } from "react";
import { type Column, DataTable } from "../../components/table/data-table.tsx";
import { Moment } from "../../components/data/text.tsx";
import { formatExactly, useZone } from "../../lib/format/times.ts";
import { DeliveryBadge } from "./delivery-badge.tsx";
import { DeliveryDetail } from "./delivery-detail.tsx";
import { deliveryOutcome, shortAddress } from "./delivery-words.ts";
import { eventNames } from "./event-names.ts";

type Props = { deliveries: readonly WebhookDelivery[]; webhooks: readonly Webhook[] };

/** Deliveries, newest first; each opens with its attempts. */
export const DeliveryTable = ({ deliveries, webhooks }: Props) => {
  const zone = useZone();
  const [openId, setOpenId] = useState<string>();
  const open = deliveries.find(({ id }) => id === openId);
  const webhookOf = ({ webhookId }: WebhookDelivery) => webhooks.find(({ id }) => id === webhookId);
  const columns: Column<WebhookDelivery>[] = [
    { title: "Time", cell: ({ createdAt }) => <Moment at={createdAt} /> },
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
