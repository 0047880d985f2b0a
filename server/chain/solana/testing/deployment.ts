import { encodePaymentAccount } from "@holdfast/escrow-client";
import { getAddressEncoder } from "@solana/kit";
import { anAccount, anAddress, at, programId } from "./chain.ts";

const LOADER = "BPFLoaderUpgradeab1e11111111111111111111111";

/** A node's accounts: a program, its data, an operator account, and the account whose authority that would be. */
export interface ShownDeployment {
  readonly slot: number;
  readonly program: unknown;
  readonly programData: unknown;
  readonly operator: unknown;
  readonly operatorOfIt: unknown;
}

export const anOperatorAccount = (authority = anAddress(5)) =>
  anAccount(
    Uint8Array.from(
      encodePaymentAccount({
        kind: "operator",
        bump: 255,
        authority,
        arbiter: anAddress(6),
        pendingAuthority: null,
        pendingArbiter: null,
      }),
    ),
    programId,
  );

/** The head of the data, then the file; null: the authority was given up. */
export function aProgramData(slot: number, authority: string | null, file: Uint8Array) {
  const head = Buffer.alloc(45);
  head.writeUInt32LE(3, 0);
  head.writeBigUInt64LE(BigInt(slot), 4);
  head.writeUInt8(authority === null ? 0 : 1, 12);
  if (authority !== null) head.set(getAddressEncoder().encode(authority as ReturnType<typeof anAddress>), 13);
  return anAccount(Buffer.concat([head, file]), LOADER);
}

export const aDeployment = (fields: Partial<ShownDeployment> = {}): ShownDeployment => ({
  slot: 300,
  program: anAccount(new Uint8Array(36), LOADER, true),
  programData: aProgramData(9, anAddress(7), Uint8Array.of(1, 2, 3, 0, 0)),
  operator: anOperatorAccount(),
  operatorOfIt: null,
  ...fields,
});

/** Answers getMultipleAccounts, which asks for all four or, for the file, the first two. */
export const showDeployment = (shown: ShownDeployment) => (params: readonly unknown[]) => {
  const { program, programData, operator, operatorOfIt } = shown;
  const asked = (params[0] as readonly unknown[]).length;
  const { dataSlice } = params[1] as { dataSlice?: { length: number } };
  const cut = (account: unknown) => {
    if (account === null || dataSlice === undefined) return account;
    const whole = account as ReturnType<typeof anAccount>;
    const data = Buffer.from(whole.data[0]!, "base64").subarray(0, dataSlice.length);
    return { ...whole, data: [data.toString("base64"), "base64"] };
  };
  return at(shown.slot, [program, programData, operator, operatorOfIt].slice(0, asked).map(cut));
};
