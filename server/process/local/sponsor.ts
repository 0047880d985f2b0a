import { join } from "node:path";
import type { LocalChain } from "./chain.ts";

const SOL = 1_000_000_000n;
/** One whole unit of USDC. */
const AMOUNT_MIN = 1_000_000n;

/** The local chain's own sponsor, with play money: on, so that buyers without SOL can be tried out. */
export const localSponsor = ({ walletsDir, asset }: Pick<LocalChain, "walletsDir" | "asset">) => ({
  keyFiles: [join(walletsDir, "sponsor.json")],
  balanceMin: Number(SOL),
  limits: {
    amountsMin: new Map([[asset, AMOUNT_MIN]]),
    hourMax: 10n * SOL,
    dayMax: 50n * SOL,
    boundMax: 90n * SOL,
  },
});
