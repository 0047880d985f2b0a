import { Badge, Notice } from "@holdfast/ui/badge.tsx";
import { Button } from "@holdfast/ui/button.tsx";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { read } from "../api/queries.ts";
import * as texts from "../catalogue/index.ts";
import { useCluster, useWallets } from "../payments/wallets.ts";
import { useTenant } from "../shell/tenant.ts";
import { NotGivenNotice } from "./notGiven.tsx";
import { type AgreementEnding, type ShownAgreement, signAgreement } from "./signAgreement.ts";

const READ_MS = 1_000;

/** The agreement in one transaction: who has signed, how long the other can, and the signature of the recipient's wallet. */
export function Together({
  agreement,
  dispute,
}: {
  readonly agreement: Omit<ShownAgreement, "path">;
  readonly dispute: string;
}) {
  const { path: tenant, may } = useTenant();
  const path = { ...tenant, dispute };
  const cluster = useCluster();
  const { here } = useWallets(cluster);
  const [state, setState] = useState<"signing" | AgreementEnding | null>(null);
  const [name, setName] = useState("");
  const { data } = useQuery({ ...read("getAgreement", { path }), refetchInterval: READ_MS });
  const words = texts.disputes.together;
  const sign = async (wallet: (typeof here)[number]) => {
    setName(wallet.name);
    setState("signing");
    setState(await signAgreement({ ...agreement, path }, { wallet, cluster }));
  };
  const seconds = data?.secondsLeft ?? 0;
  const signedBy = data?.signedBy ?? null;
  return (
    <div className="grid gap-3 border-t border-line pt-3">
      <h3 className="font-semibold">{words.title}</h3>
      <p>{words.text}</p>
      <ul aria-label={words.title} className="m-0 grid list-none gap-2 p-0">
        {(["buyer", "merchant"] as const).map((side) => (
          <li key={side} className="flex flex-wrap items-baseline gap-2">
            <Badge tone={signedBy === side ? "good" : "wait"}>
              {signedBy === side ? texts.disputes.agreement.done : texts.disputes.agreement.missing}
            </Badge>
            <span>{words.signatures[side]}</span>
          </li>
        ))}
      </ul>
      {signedBy === null ? null : (
        <p className="tabular-nums">{signedBy === "buyer" ? words.buyerSigned(seconds) : words.youSigned(seconds)}</p>
      )}
      <div role="status">
        {state === null ? null : showState(state, { wallet: name, recipient: agreement.recipient })}
      </div>
      {may("answer_disputes") ? (
        <div className="flex flex-wrap gap-2">
          {here.map((wallet) => (
            <Button
              key={wallet.name}
              kind="primary"
              isBusy={state === "signing" && wallet.name === name}
              disabled={state === "signing"}
              onClick={() => void sign(wallet)}
            >
              {words.sign(wallet.name)}
            </Button>
          ))}
          {here.length === 0 ? <p className="text-small text-soft">{words.noWallet}</p> : null}
        </div>
      ) : null}
    </div>
  );
}

function showState(
  state: "signing" | AgreementEnding,
  { wallet, recipient }: { readonly wallet: string; readonly recipient: string },
): ReactNode {
  const words = texts.disputes.together;
  if (state === "signing") return words.signing(wallet);
  switch (state.kind) {
    case "half":
      return <Notice tone="wait">{words.half}</Notice>;
    case "sent":
      return <Notice tone="good">{words.sent}</Notice>;
    case "unknown":
      return <Notice tone="wait">{words.unknown}</Notice>;
    default:
      return <NotGivenNotice ending={state} {...{ wallet, recipient }} />;
  }
}
