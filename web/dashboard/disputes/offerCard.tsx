import { Badge } from "@holdfast/ui/badge.tsx";
import { stepsOf } from "@holdfast/ui/disputeStatus.ts";
import { Time } from "@holdfast/ui/time.tsx";
import { write } from "../api/queries.ts";
import type { DisputeOffer } from "../api/schema.ts";
import { Filled } from "../catalogue/filled.tsx";
import * as texts from "../catalogue/index.ts";
import { ActionButton, DialogButton } from "../forms/buttons.tsx";
import { ConfirmDialog } from "../forms/dialogs.tsx";
import { useTenant } from "../shell/tenant.ts";
import { can } from "./dispute.ts";
import { type DisputeProps, Shares } from "./shares.tsx";

interface OfferProps extends DisputeProps {
  readonly offer: DisputeOffer;
}

/** An offer with both amounts, and what can be done with it. Acceptance is a separate act, which binds. */
export function OfferCard(props: OfferProps) {
  const { offer, dispute, amount, refundTotal, token } = props;
  const labels = texts.disputes.offer;
  const isOpen = offer.status === "open";
  const isAccepting = isOpen && offer.by === "buyer" && can(dispute, "accept_offer");
  return (
    <section
      aria-label={offer.text ?? labels.noText}
      className={`grid max-w-[560px] gap-3 rounded-card border px-4 py-3 ${isOpen ? "border-accent" : "border-line"}`}
    >
      <div className="flex flex-wrap items-start justify-between gap-2">
        <p className="min-w-0 break-words font-semibold">{offer.text ?? labels.noText}</p>
        <Badge tone={isAccepting ? "wait" : "neutral"}>
          {isAccepting ? labels.canAccept : texts.disputes.side.offerStatuses[offer.status]}
        </Badge>
      </div>
      <Shares total={offer.total} amount={amount} token={token} {...(isOpen ? { before: refundTotal } : {})} />
      {isOpen ? (
        <>
          <p className="text-small text-soft">
            <Until offer={offer} />
          </p>
          <OfferActs {...props} />
        </>
      ) : null}
    </section>
  );
}

const Until = ({ offer }: { readonly offer: DisputeOffer }) => (
  <Filled text={texts.disputes.offer.until} slots={{ time: <Time at={offer.until} /> }} />
);

function OfferActs({ offer, dispute, amount, refundTotal, token }: OfferProps) {
  const { path: tenant, may } = useTenant();
  const labels = texts.disputes.offer;
  const path = { ...tenant, dispute: dispute.id, offer: offer.id };
  if (!may("answer_disputes") || (dispute.status !== "talking" && dispute.status !== "deciding")) return null;
  const gain = token.gain(offer.total, refundTotal);
  const shares = labels.shares(gain, token.show(BigInt(amount) - BigInt(offer.total)));
  return (
    <div className="flex flex-wrap gap-2">
      {offer.by === "buyer" && can(dispute, "accept_offer") ? (
        <DialogButton
          kind="primary"
          dialog={(close) => (
            <ConfirmDialog
              kind="primary"
              title={labels.acceptTitle}
              text={`${shares} ${labels.acceptText} ${labels.acceptSteps[stepsOf(offer.total, { amount, refundTotal })]}`}
              submitText={labels.accept(gain)}
              run={() => write("acceptDisputeOffer", { path })}
              said={labels.accepted}
              onClose={close}
            >
              <Shares total={offer.total} amount={amount} before={refundTotal} token={token} />
              <p>
                <Until offer={offer} />
              </p>
            </ConfirmDialog>
          )}
        >
          {labels.accept(gain)}
        </DialogButton>
      ) : null}
      {offer.by === "buyer" ? (
        <ActionButton run={() => write("declineDisputeOffer", { path })} said={labels.declined}>
          {texts.disputes.side.offering.decline}
        </ActionButton>
      ) : (
        <ActionButton run={() => write("withdrawDisputeOffer", { path })} said={labels.withdrawn}>
          {texts.disputes.side.offering.withdraw}
        </ActionButton>
      )}
    </div>
  );
}
