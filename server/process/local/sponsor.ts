import { join } from "node:path";
import type { LocalChain } from "./chain.ts";

const SOL = 1_000_000_000;
/** One USDC. */
const AMOUNT_MIN = 1_000_000;

/** The local chain's own sponsor, with play money: it is on, so that developers can try buyers without SOL. */
export const localSponsor = ({ walletsDir, asset }: Pick<LocalChain, "walletsDir" | "asset">) => ({
  keyFiles: [join(walletsDir, "sponsor.json")],
  amountsMin: { [asset]: AMOUNT_MIN },
  hourMax: 10 * SOL,
  dayMax: 50 * SOL,
  boundMax: 90 * SOL,
  balanceMin: SOL,
});
