import { showToast } from "@holdfast/ui/toast.tsx";
import { type ReactNode, useRef, useState } from "react";
import type { RecipientSignature } from "../api/schema.ts";
import { Filled } from "../catalogue/filled.tsx";
import * as texts from "../catalogue/index.ts";
import { Choice } from "../forms/choice.tsx";
import { FormDialog } from "../forms/dialogs.tsx";
import { useCluster, useWallets } from "../payments/wallets.ts";
import { code } from "../shell/facts.tsx";
import { useTenant } from "../shell/tenant.ts";
import { NotGivenNotice } from "./notGiven.tsx";
import type { CaseProps } from "./shares.tsx";
import { type NotGiven, type ShownConsent, signConsent } from "./signAgreement.ts";

type Values = Readonly<Record<string, string>>;
type Terms = Pick<ShownConsent, "total" | "until">;

interface BindProps extends Pick<ShownConsent, "act" | "offer"> {
  readonly shown: CaseProps;
  readonly title: string;
  readonly text: string;
  readonly submitText: string;
  readonly children: ReactNode;
  /** The terms by the fields of the dialog; null while they are not valid. */
  readonly termsOf: (values: Values) => Terms | null;
  /** Acts by the word of the member, whose signature is empty, or by that of the recipient's wallet. */
  readonly run: (signature: RecipientSignature, terms: Terms, values: Values) => Promise<unknown>;
  readonly said: string;
  readonly onClose: () => void;
}

/** A dialog that binds the business: by a member's proof of identity, or by a signature of the recipient's wallet. */
export function BindDialog({ shown, act, offer, termsOf, run, said, children, ...dialog }: BindProps) {
  const { business, environment, path } = useTenant();
  const { dispute, recipient, token, ...amounts } = shown;
  const program = business.programs[environment];
  const cluster = useCluster();
  const { here } = useWallets(cluster);
  const [chosen, setChosen] = useState<string | null>(null);
  const [state, setState] = useState<"signing" | NotGiven | null>(null);
  const wallet = here.find(({ name }) => name === chosen);
  const isClosed = useRef(false);
  const close = () => {
    isClosed.current = true;
    dialog.onClose();
  };
  const words = texts.disputes.consent;
  const choose = (name: string | null) => {
    setChosen(name);
    setState(null);
  };
  const submit = async (values: Values) => {
    const terms = termsOf(values);
    if (terms === null) return;
    let signature: RecipientSignature = {};
    if (wallet !== undefined && program !== null && recipient !== null) {
      setState("signing");
      const place = { path: { ...path, dispute: dispute.id }, program, payment: dispute.payment, recipient };
      const consent = { ...place, act, offer, ...amounts, decimals: token.decimals ?? 0, ...terms };
      const given = await signConsent(consent, { wallet, cluster });
      setState(given.kind === "proven" ? null : given);
      // A closed dialog is a change of mind: what the wallet signs afterwards is not sent.
      if (given.kind !== "proven" || isClosed.current) return;
      signature = given.body;
    }
    await run(signature, terms, values);
    close();
    showToast(said);
  };
  return (
    <FormDialog {...dialog} onClose={close} onSubmit={submit} staysOpen={wallet !== undefined}>
      {children}
      {program === null || recipient === null ? null : (
        <fieldset disabled={state === "signing"} className="m-0 grid min-w-0 gap-2 border-0 p-0">
          <legend className="mb-1 p-0 font-medium">{words.title}</legend>
          <div className="rounded-small border border-line">
            <Choice name="by" text={words.person} isChosen={wallet === undefined} onChoose={() => choose(null)} />
            {here.map(({ name }) => (
              <Choice
                key={name}
                name="by"
                text={words.wallet(name)}
                isChosen={name === wallet?.name}
                onChoose={() => choose(name)}
              />
            ))}
          </div>
          {here.length === 0 ? <p className="text-small text-soft">{words.noWallet}</p> : null}
          {wallet === undefined ? null : (
            <p className="text-small text-soft">
              <Filled
                text={words.text}
                slots={{ recipient: code(recipient), host: code(location.host), payment: code(dispute.payment) }}
              />
            </p>
          )}
          <div role="status">
            {state === "signing" ? words.signing(wallet?.name ?? "") : null}
            {state === null || state === "signing" ? null : (
              <NotGivenNotice ending={state} wallet={wallet?.name ?? ""} recipient={recipient} />
            )}
          </div>
        </fieldset>
      )}
    </FormDialog>
  );
}
