import { useEffect } from "react";
import type { DeskDispute } from "../api/schema.ts";
import { useDraft } from "../shell/drafts.ts";

/** The decision that an arbiter prepares, as it is typed. It outlives the step to the signature and back. */
export function useDecisionDraft({ id }: Pick<DeskDispute, "id">) {
  const [total, setTotal] = useDraft(`decision:${id}:total`);
  const [reasons, setReasons] = useDraft(`decision:${id}`);
  return { total, setTotal, reasons, setReasons };
}

/** Deletes the draft from this device, once the dispute has ended. */
export function useDroppedDraft(dispute: Pick<DeskDispute, "id">): void {
  const { setTotal, setReasons } = useDecisionDraft(dispute);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect runs once
  useEffect(() => {
    setTotal("");
    setReasons("");
  }, []);
}
