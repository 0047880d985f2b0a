import { Button } from "@holdfast/ui/button.tsx";
import { isLapsed } from "@holdfast/ui/disputeStatus.ts";
import { useId } from "react";
import { write } from "../api/queries.ts";
import { useAction } from "../api/useAction.ts";
import * as texts from "../catalogue/index.ts";
import { DialogButton } from "../forms/buttons.tsx";
import { ConfirmDialog } from "../forms/dialogs.tsx";
import { useDraft } from "../shell/drafts.ts";
import { useEnvironmentTime } from "../shell/environmentTime.ts";
import { useTenant } from "../shell/tenant.ts";
import { acceptable, can, hasAsked, isSpent, stepsOf } from "./dispute.ts";
import { OfferButton } from "./offerDialog.tsx";
import type { DisputeProps } from "./shares.tsx";
import { Said } from "./talk.tsx";

const TEXT_CHARACTERS_MAX = 5_000;

/** The answer of the business: a draft on this device, sent by a press of its own. */
export function Answer(props: DisputeProps) {
  const { dispute } = props;
  const { path: tenant, may } = useTenant();
  const [text, setText] = useDraft(dispute.id);
  const hint = useId();
  const labels = texts.disputes.answer;
  const path = { ...tenant, dispute: dispute.id };
  const send = useAction({
    run: () => write("sendDisputeStatement", { path, body: { text: text.trim() } }),
    said: labels.sent,
    done: () => setText(""),
  });
  const now = useEnvironmentTime();
  const isWriting = can(dispute, "write");
  const { cannotWrite, silence } = texts.disputes.side;
  const { status, questionUntil } = dispute;
  const closed =
    isSpent(dispute) && status !== "agreed"
      ? silence.spent
      : status === "deciding" && questionUntil === null
        ? cannotWrite
        : labels.closed;
  if (!may("answer_disputes") || (!isWriting && !can(dispute, "offer"))) {
    const isOver = dispute.nextActions.length === 0 || (now !== null && isLapsed(dispute, now));
    return isOver ? null : (
      <li className="text-small text-soft">{may("answer_disputes") ? closed : labels.forbidden}</li>
    );
  }
  return (
    <Said by="merchant" says="" at={null} {...(text === "" ? {} : { badge: labels.draft })}>
      <div className="overflow-hidden rounded-card border border-[var(--edge)]">
        {isWriting ? (
          <textarea
            id="answer"
            aria-label={labels.label}
            aria-describedby={hint}
            rows={5}
            maxLength={TEXT_CHARACTERS_MAX}
            value={text}
            disabled={send.isPending}
            onChange={({ target }) => setText(target.value)}
            className="block w-full resize-y border-0 bg-card px-4 py-3 text-body text-ink disabled:opacity-55"
          />
        ) : null}
        <div className="flex flex-wrap items-center gap-2 border-t border-line bg-paper p-2">
          <OfferButton {...props}>{texts.disputes.side.offering.make}</OfferButton>
          {can(dispute, "ask_arbiter") ? <AskArbiter dispute={dispute} /> : null}
          {isWriting ? (
            <Button
              // What both sides could settle now comes first.
              kind={acceptable(dispute) === null && !stepsOf(dispute).includes("refund") ? "primary" : "plain"}
              className="ml-auto"
              disabled={text.trim() === ""}
              isBusy={send.isPending}
              onClick={() => send.mutate()}
            >
              {labels.send}
            </Button>
          ) : null}
        </div>
      </div>
      <p id={hint} className="text-small text-soft">
        {hasAsked(dispute, "merchant") ? `${texts.disputes.side.asking.asked} ` : null}
        {isWriting ? labels.hint : closed}
      </p>
    </Said>
  );
}

function AskArbiter({ dispute }: Pick<DisputeProps, "dispute">) {
  const { path } = useTenant();
  const labels = texts.disputes.side.asking;
  return (
    <DialogButton
      dialog={(close) => (
        <ConfirmDialog
          kind="primary"
          title={texts.disputes.askTitle}
          text={hasAsked(dispute, "buyer") ? labels.textLast : labels.text}
          submitText={labels.ask}
          run={() => write("askArbiter", { path: { ...path, dispute: dispute.id } })}
          said={labels.asked}
          onClose={close}
        />
      )}
    >
      {labels.ask}
    </DialogButton>
  );
}
