import { Time } from "@holdfast/ui/time.tsx";
import { Filled } from "../catalogue/filled.tsx";
import * as texts from "../catalogue/index.ts";

/** The time at which texts or files were erased. */
export const Erased = ({ at }: { readonly at: string }) => (
  <p className="text-soft">
    <Filled text={texts.disputes.side.erasedAt} slots={{ time: <Time at={at} /> }} />
  </p>
);

/** A text of a party, or the time at which it was erased. Links in it are not links. */
export const ErasableText = ({ text, erasedAt }: { readonly text: string; readonly erasedAt: string | null }) =>
  erasedAt === null ? <p className="max-w-text overflow-clip whitespace-pre-wrap">{text}</p> : <Erased at={erasedAt} />;
