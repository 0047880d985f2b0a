import { BEFORE_LAPSE_MS, isLapsed } from "@holdfast/ui/disputeStatus.ts";
import { Select, TextArea } from "@holdfast/ui/field.tsx";
import { showToast } from "@holdfast/ui/toast.tsx";
import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { accountQuery, read, write } from "../api/queries.ts";
import type { DeskDispute } from "../api/schema.ts";
import * as texts from "../catalogue/index.ts";
import { ActionButton, DialogButton } from "../forms/buttons.tsx";
import { FormDialog } from "../forms/dialogs.tsx";

interface ActsProps {
  readonly dispute: DeskDispute;
}

const OPEN: ReadonlySet<DeskDispute["status"]> = new Set(["talking", "deciding", "agreed"]);
const QUESTIONS_MAX = 2;
const TEXT_CHARACTERS_MAX = 5_000;

/** True if the user holds the dispute, and so may decide it. */
export function useHolds({ heldBy }: Pick<DeskDispute, "heldBy">): boolean {
  const { user } = useSuspenseQuery(accountQuery).data;
  return heldBy?.id === user.id;
}

/** A question leaves time for its answers before the lapse on chain. */
const canAsk = ({ status, questions, at, resolveBy }: DeskDispute): boolean =>
  status === "deciding" && questions.length < QUESTIONS_MAX && Date.parse(at) < Date.parse(resolveBy) - BEFORE_LAPSE_MS;

/** What an arbiter can do with an open dispute: claim it, or ask and hand over once it is theirs. */
export function Acts({ dispute }: ActsProps) {
  const isHeld = useHolds(dispute);
  if (!OPEN.has(dispute.status) || isLapsed(dispute, dispute.at)) return null;
  if (dispute.heldBy === null)
    return dispute.conflict === null ? (
      <ActionButton
        kind="primary"
        run={() => write("claimDeskDispute", { path: { dispute: dispute.id } })}
        said={texts.desk.claimed}
      >
        {texts.desk.claim}
      </ActionButton>
    ) : null;
  return isHeld ? (
    <>
      {canAsk(dispute) ? <Ask dispute={dispute} /> : null}
      <HandOver dispute={dispute} />
    </>
  ) : null;
}

function Ask({ dispute }: ActsProps) {
  const labels = texts.desk.ask;
  return (
    <DialogButton
      dialog={(close) => (
        <FormDialog
          title={labels.title}
          text={labels.text}
          submitText={labels.submit}
          onClose={close}
          onSubmit={async ({ text = "", side }) => {
            const asked = side === "buyer" || side === "merchant" ? side : null;
            await write("askDeskDispute", { path: { dispute: dispute.id }, body: { text: text.trim(), side: asked } });
            close();
            showToast(labels.done);
          }}
        >
          <Select label={labels.to} name="side" defaultValue="both" options={Object.entries(labels.sides)} />
          <TextArea label={labels.label} name="text" rows={4} maxLength={TEXT_CHARACTERS_MAX} />
        </FormDialog>
      )}
    >
      {labels.button}
    </DialogButton>
  );
}

const HandOver = (props: ActsProps) => (
  <DialogButton dialog={(close) => <HandOverDialog {...props} onClose={close} />}>
    {texts.desk.handOver.button}
  </DialogButton>
);

function HandOverDialog({ dispute, onClose }: ActsProps & { readonly onClose: () => void }) {
  const { user } = useSuspenseQuery(accountQuery).data;
  const arbiters = useQuery(read("listArbiters", {})).data?.data ?? [];
  const labels = texts.desk.handOver;
  const others = arbiters.filter(({ id }) => id !== user.id);
  return (
    <FormDialog
      title={labels.title}
      text={labels.text}
      submitText={labels.button}
      onClose={onClose}
      onSubmit={async ({ to = "" }) => {
        await write("handOverDeskDispute", { path: { dispute: dispute.id }, body: to === "" ? {} : { to } });
        onClose();
        showToast(labels.done);
      }}
    >
      <Select
        label={labels.to}
        name="to"
        defaultValue=""
        options={[["", labels.queue], ...others.map(({ id, name, holds }) => [id, labels.holds(name, holds)] as const)]}
      />
    </FormDialog>
  );
}
