import { Badge } from "@holdfast/ui/badge.tsx";
import { Time } from "@holdfast/ui/time.tsx";
import { write } from "../api/queries.ts";
import type { DisputeOffer } from "../api/schema.ts";
import { Filled } from "../catalogue/filled.tsx";
import * as texts from "../catalogue/index.ts";
import { ActionButton, DialogButton } from "../forms/buttons.tsx";
import { ConfirmDialog } from "../forms/dialogs.tsx";
import { useTenant } from "../shell/tenant.ts";
import { can } from "./case.ts";
import { OfferButton } from "./offerDialog.tsx";
import { type CaseProps, Shares } from "./shares.tsx";

interface OfferProps extends CaseProps {
  readonly offer: DisputeOffer;
}

/** An offer with both amounts, and what can be done with it. Acceptance is a separate act, which binds. */
export function OfferCard(props: OfferProps) {
  const { offer, dispute, amount, refundTotal, token } = props;
  const words = texts.disputes.offer;
  const isOpen = offer.status === "open";
  const isAccepting = isOpen && offer.by === "buyer" && can(dispute, "accept_offer");
  return (
    <section
      aria-label={offer.text ?? words.noText}
      className={`grid max-w-[560px] gap-3 rounded-card border px-4 py-3 ${isOpen ? "border-accent" : "border-line"}`}
    >
      <div className="flex flex-wrap items-start justify-between gap-2">
        <p className="min-w-0 break-words font-semibold">{offer.text ?? words.noText}</p>
        <Badge tone={isAccepting ? "wait" : "neutral"}>
          {isAccepting ? words.waits : words.statuses[offer.status]}
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

function OfferActs({ offer, ...props }: OfferProps) {
  const { dispute, amount, refundTotal, token } = props;
  const { path: tenant, may } = useTenant();
  const words = texts.disputes.offer;
  const path = { ...tenant, dispute: dispute.id, offer: offer.id };
  if (!may("answer_disputes") || (dispute.status !== "talking" && dispute.status !== "deciding")) return null;
  const gain = token.gain(offer.total, refundTotal);
  const shares = words.shares(gain, token.show(BigInt(amount) - BigInt(offer.total)));
  return (
    <div className="flex flex-wrap gap-2">
      {offer.by === "buyer" && can(dispute, "accept_offer") ? (
        <DialogButton
          kind="primary"
          dialog={(close) => (
            <ConfirmDialog
              kind="primary"
              title={words.acceptTitle}
              text={`${shares} ${words.acceptText}`}
              submitText={words.accept(gain)}
              run={() => write("acceptDisputeOffer", { path })}
              said={words.accepted}
              onClose={close}
            >
              <Shares total={offer.total} amount={amount} before={refundTotal} token={token} />
              <p>
                <Until offer={offer} />
              </p>
            </ConfirmDialog>
          )}
        >
          {words.accept(gain)}
        </DialogButton>
      ) : null}
      <OfferButton {...props}>{words.makeAnother}</OfferButton>
      {offer.by === "buyer" ? (
        <ActionButton run={() => write("declineDisputeOffer", { path })} said={words.declined}>
          {words.decline}
        </ActionButton>
      ) : (
        <ActionButton run={() => write("withdrawDisputeOffer", { path })} said={words.withdrawn}>
          {words.withdraw}
        </ActionButton>
      )}
    </div>
  );
}
