import {
  isTokenProgram,
  readTokenAccount,
  readTokenMint,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  tokenAmount,
} from "../ledger/tokens.ts";
import { readShape, showAccount } from "./accounts.ts";
import { invalidParams } from "./errors.ts";
import { readAddress } from "./params.ts";
import type { Methods, View } from "./view.ts";

function readMintAt(view: View, address: string, slot: number) {
  const image = view.account(address, slot);
  const mint = image && readTokenMint(image);
  if (!mint) throw invalidParams("Invalid param: could not find mint");
  return mint;
}

export const tokenMethods: Methods = {
  getTokenAccountBalance: {
    params: 2,
    answer(view, params) {
      const address = params.address(0);
      const slot = view.slotFor(params.config(1));
      const image = view.account(address, slot);
      if (!image) throw invalidParams("Invalid param: could not find account");
      const account = readTokenAccount(image);
      if (!account) throw invalidParams("Invalid param: not a Token account");
      return view.withContext(slot, tokenAmount(account.amount, readMintAt(view, account.mint, slot).decimals));
    },
  },
  getTokenAccountsByOwner: {
    params: 3,
    answer(view, params) {
      const owner = params.address(0);
      const { mint, programId } = params.config(1);
      const config = params.config(2);
      const slot = view.slotFor(config);
      const shape = readShape(config);
      if (mint === undefined && programId === undefined)
        throw invalidParams("Invalid params: expected a mint or a programId.");
      const wanted = mint === undefined ? null : readAddress(mint);
      const programs = wanted === null ? [readAddress(programId)] : [TOKEN_PROGRAM, TOKEN_2022_PROGRAM];
      if (!programs.every(isTokenProgram)) throw invalidParams("Invalid param: unrecognized Token program id");
      if (wanted !== null) readMintAt(view, wanted, slot);
      const found = programs
        .flatMap((program) => view.ledger.ownedAt(program, slot))
        .filter(([, image]) => {
          const account = readTokenAccount(image);
          return account?.owner === owner && (wanted === null || account.mint === wanted);
        })
        .map(([pubkey, image]) => ({ pubkey, account: showAccount(view, image, shape, slot) }));
      return view.withContext(slot, found);
    },
  },
  getTokenSupply: {
    params: 2,
    answer(view, params) {
      const slot = view.slotFor(params.config(1));
      const { supply, decimals } = readMintAt(view, params.address(0), slot);
      return view.withContext(slot, tokenAmount(supply, decimals));
    },
  },
};
