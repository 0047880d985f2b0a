import { type Address, getAddressEncoder, getProgramDerivedAddress, getU64Encoder } from "@solana/kit";
import { ASSOCIATED_TOKEN_PROGRAM_ID, UPGRADEABLE_LOADER_ID } from "./constants.ts";

const addressBytes = getAddressEncoder();
const u64Bytes = getU64Encoder();

/** The operator account of an authority: `["operator", authority]`. */
export async function findOperatorAddress(input: { programId: Address; authority: Address }): Promise<Address> {
  const [found] = await getProgramDerivedAddress({
    programAddress: input.programId,
    seeds: ["operator", addressBytes.encode(input.authority)],
  });
  return found;
}

/**
 * A sender's payment: `["payment", operator, sender, paymentId]`. The sender is one of the seeds, so nobody can take
 * another's address.
 */
export const findPaymentAddress = async (input: PaymentSeeds): Promise<Address> =>
  (await findPaymentAddressAndBump(input))[0];

interface PaymentSeeds {
  readonly programId: Address;
  readonly operator: Address;
  readonly sender: Address;
  readonly paymentId: bigint;
}

/** {@link findPaymentAddress} with the bump that the account holds. */
export const findPaymentAddressAndBump = (input: PaymentSeeds): Promise<readonly [Address, number]> =>
  getProgramDerivedAddress({
    programAddress: input.programId,
    seeds: [
      "payment",
      addressBytes.encode(input.operator),
      addressBytes.encode(input.sender),
      u64Bytes.encode(input.paymentId),
    ],
  });

/** The associated token account of any owner, on-curve or not. */
export async function findTokenAccountAddress(input: {
  owner: Address;
  mint: Address;
  tokenProgram: Address;
}): Promise<Address> {
  const [found] = await getProgramDerivedAddress({
    programAddress: ASSOCIATED_TOKEN_PROGRAM_ID,
    seeds: [input.owner, input.tokenProgram, input.mint].map((part) => addressBytes.encode(part)),
  });
  return found;
}

/** The vault, which holds a payment's funds: the payment account's associated token account. */
export function findVaultAddress(input: { payment: Address; mint: Address; tokenProgram: Address }): Promise<Address> {
  return findTokenAccountAddress({ owner: input.payment, mint: input.mint, tokenProgram: input.tokenProgram });
}

/** The account that holds the file of a program that can be replaced. */
export async function findProgramDataAddress(programId: Address): Promise<Address> {
  const seeds = [addressBytes.encode(programId)];
  const [found] = await getProgramDerivedAddress({ programAddress: UPGRADEABLE_LOADER_ID, seeds });
  return found;
}
