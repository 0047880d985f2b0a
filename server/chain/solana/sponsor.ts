import {
  createKeyPairFromBytes,
  getAddressFromPublicKey,
  getBase58Decoder,
  getTransactionEncoder,
  signBytes,
  type Transaction,
} from "@solana/kit";
import type { ChainSponsor, SponsorAnswer, SponsoredPayment, SponsorLimits } from "../sponsor.ts";
import { fetchAtHead } from "./account.ts";
import { createPool, type NodeSession } from "./pool.ts";
import type { SolanaSettings } from "./settings.ts";
import { simulate } from "./simulation.ts";
import { checkSponsored, readSponsored } from "./sponsored.ts";
import { areSigned, isSame, type Wire } from "./wireTransaction.ts";

interface SponsorSettings extends SolanaSettings {
  /** The 64 bytes of a Solana key file for each sponsor. */
  readonly secrets: readonly Uint8Array[];
  readonly balanceMin: bigint;
  readonly limits: SponsorLimits;
}

const base58 = getBase58Decoder();
const wireEncoder = getTransactionEncoder();

type Key = Awaited<ReturnType<typeof createKeyPairFromBytes>>["privateKey"];

async function readKeys(secrets: readonly Uint8Array[]): Promise<ReadonlyMap<string, Key>> {
  const keys = new Map<string, Key>();
  for (const secret of secrets) {
    const pair = await createKeyPairFromBytes(secret);
    keys.set(await getAddressFromPublicKey(pair.publicKey), pair.privateKey);
  }
  return keys;
}

const refused = (reason: string): SponsorAnswer => ({ kind: "refused", reason });

/**
 * Signs for sponsors. A key signs only transactions that passed the rules and a trial run in which its account lost no
 * more than allowed.
 */
export async function createSolanaSponsor(settings: SponsorSettings): Promise<ChainSponsor> {
  const pool = createPool(settings);
  const keys = await readKeys(settings.secrets);
  const addresses = [...keys.keys()];
  const lastBalances = new Map<string, bigint>();
  const short = new Set<string>();
  let turn = 0;

  /** Returns the reason why the transaction would fail, or cost the sponsor too much; null if neither holds. */
  async function tryOut(session: NodeSession, transaction: string, payment: SponsoredPayment): Promise<string | null> {
    const { stop, feePayer } = await simulate(session, transaction, settings.programId);
    // The chain does not know a nonce in place of a blockhash either.
    if (stop !== null) return stop.reason;
    const { before, after } = feePayer();
    lastBalances.set(payment.sponsor, after);
    return before - after > payment.outlayMax ? "it would cost the sponsor more than it may" : null;
  }

  async function sign(
    transaction: string,
    payment: SponsoredPayment,
    options: { signal: AbortSignal },
  ): Promise<SponsorAnswer> {
    const reason = checkSponsored(transaction, payment.transaction);
    if (reason !== null) return refused(reason);
    const { wire } = readSponsored(transaction)!;
    const key = keys.get(payment.sponsor);
    if (key === undefined || Object.keys(wire.signatures)[0] !== payment.sponsor)
      return refused("its sponsor is none of this deployment");
    const stop = await pool.queue(options).ask((session) => tryOut(session, transaction, payment));
    if (stop !== null) return refused(stop);
    return addSignature(wire, payment.sponsor, await signBytes(key, wire.messageBytes));
  }

  const readSender = async (transaction: string): Promise<string | null> => {
    const read = readSponsored(transaction);
    return read !== null && keys.has(read.sponsor) && (await isSignedBySender(read)) ? read.sender : null;
  };

  return {
    keepTo: pool.keepTo,
    addresses,
    limits: settings.limits,
    pick() {
      turn++;
      const able = addresses.filter((address) => !short.has(address));
      return able[turn % Math.max(able.length, 1)] ?? null;
    },
    recordShort: (sponsor) => void short.add(sponsor),

    readSender,
    isSignatureOf,
    presign: (payment, options) => sign(payment.transaction, payment, options),
    cosign: async (transaction, payment, options) =>
      (await readSender(transaction)) === null
        ? refused("its buyer has not signed it")
        : sign(transaction, payment, options),

    async fetchBalances(options) {
      const read = await pool.queue(options).ask((session) => fetchAtHead(session, addresses));
      short.clear();
      addresses.forEach((address, index) => void lastBalances.set(address, read[index]?.lamports ?? 0n));
      return lastBalances;
    },
    lastBalances,
    balanceMin: settings.balanceMin,
  };
}

function isSignatureOf(signed: string, transaction: string): boolean {
  const [kept, given] = [readSponsored(signed), readSponsored(transaction)];
  return kept !== null && given !== null && isSame(kept.wire.messageBytes, given.wire.messageBytes);
}

function addSignature(wire: Wire, sponsor: string, signature: Awaited<ReturnType<typeof signBytes>>): SponsorAnswer {
  const signatures = { ...wire.signatures, [sponsor]: signature };
  const bytes = wireEncoder.encode({ ...wire, signatures } as unknown as Transaction);
  return {
    kind: "signed",
    transaction: Buffer.from(bytes).toString("base64"),
    signature: base58.decode(signature),
  };
}

/** Returns true if the sender's signature is there and valid, and the sponsor's is not there yet. */
const isSignedBySender = async ({ wire, sender, sponsor }: NonNullable<ReturnType<typeof readSponsored>>) =>
  wire.signatures[sponsor] === null && (await areSigned(wire, [[sender, wire.signatures[sender] ?? null]]));
