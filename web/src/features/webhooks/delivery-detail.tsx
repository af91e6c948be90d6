import { Button } from "@chakra-ui/react/button";
import { Heading } from "@chakra-ui/react/heading";
import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import { Text } from "@chakra-ui/react/text";
import { type DeliveryStatus, type Webhook, type WebhookDelivery, webhooks } from "@vitaline/contract";
import { Badge } from "@chakra-ui/react/badge";
import { call } from "../../lib/api/call.ts";
import { useRefresh } from "../../lib/api/use-refresh.ts";
import { useInlineAction } from "../../lib/api/use-action.ts";
import { announce } from "../../lib/toast.ts";
import { DetailList } from "../../components/table/detail-list.tsx";
import { Dialog } from "../../components/dialog/dialog.tsx";
import { Failure } from "../../components/feedback/alerts.tsx";
import { DateTime } from "../../components/data/text.tsx";
import { attemptOutcome, deliveryOutcome, deliveryStatuses, eventNames } from "./delivery-format.ts";
import { DataTable } from "../../components/table/data-table.tsx";
import { formatMilliseconds } from "../../lib/format/numbers.ts";

export const DeliveryBadge = ({ status }: { status: DeliveryStatus }) => (
  <Badge colorPalette={deliveryStatuses[status].colorPalette}>{deliveryStatuses[status].name}</Badge>
);

type Attempt = WebhookDelivery["attempts"][number];

const columns = [
  { title: "Time", cell: ({ at }: Attempt) => <DateTime at={at} /> },
  { title: "Outcome", cell: attemptOutcome },
  { title: "Took", isNumeric: true, cell: ({ ms }: Attempt) => formatMilliseconds(ms) },
];

/** At most 20, newest first. */
const AttemptList = ({ attempts }: { attempts: readonly Attempt[] }) =>
  attempts.length === 0 ? (
    <Text color="fg.muted">It has not been sent yet.</Text>
  ) : (
    <DataTable caption="Attempts" columns={columns} rows={attempts.toReversed()} keyOf={({ at }) => at} />
  );

type Props = {
  delivery: WebhookDelivery;
  /** undefined if it was deleted */
  webhook: Webhook | undefined;
  onClose: () => void;
};

export const DeliveryDetail = ({ delivery, webhook, onClose }: Props) => {
  const refresh = useRefresh();
  const { run, isBusy, failure } = useInlineAction(async () => {
    await call(webhooks.replayWebhookDelivery, { params: { deliveryId: delivery.id } });
    onClose();
    announce({ type: "success", title: "Delivery is being sent again", description: "It is sent under the same webhook-id." });
    await refresh(webhooks.listWebhookDeliveries);
  });
  return (
    <Dialog title={eventNames[delivery.type]} description="A webhook delivery and its attempts" size="lg" onClose={onClose}>
      <Stack gap="6">
        <DetailList
          details={[
            ["Status", <DeliveryBadge key="status" status={delivery.status} />],
            ["Outcome", deliveryOutcome(delivery)],
            ["Event", delivery.type],
            ["Happened", <DateTime key="at" at={delivery.createdAt} />],
            ["Next attempt", delivery.nextAttemptAt === null ? undefined : <DateTime key="next" at={delivery.nextAttemptAt} />],
            ["Sent to", webhook?.url ?? "Deleted webhook"],
            [
              "webhook-id",
              <chakra.code key="id" fontFamily="mono" textStyle="xs">
                {delivery.id}
              </chakra.code>,
            ],
          ]}
        />
        <div>
          <Heading as="h3" size="sm" mb="4">
            Attempts
          </Heading>
          <AttemptList attempts={delivery.attempts} />
        </div>
        <Failure text={failure} />
        {webhook?.isActive ? (
          <Button alignSelf="flex-start" aria-disabled={isBusy} onClick={() => run()}>
            {isBusy ? "Sending..." : "Send again"}
          </Button>
        ) : (
          <Text textStyle="sm" color="fg.muted">
            {webhook ? "It can be sent again once its webhook is switched on." : "Its webhook was deleted, so it cannot be sent again."}
          </Text>
        )}
      </Stack>
    </Dialog>
  );
};
