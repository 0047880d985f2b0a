// A wallet for the local chain, inside the page: it holds play money, and its key is readable in the browser. The page
// loads it only if the server says that this is the local chain, and only there does the server fund it.
import { toBase58 } from "@holdfast/decoder";
import type { Wallet, WalletAccount } from "./wallet.ts";
import type { AppApi } from "./walletStandard.ts";

const KEPT = "holdfast demo wallet";
const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 20 20'%3E%3Crect width='20' height='20' rx='6' fill='%23e0b050'/%3E%3Cpath d='M6 5h5a5 5 0 0 1 0 10H6z' fill='%233a2d12'/%3E%3C/svg%3E";
const ALGORITHM = { name: "Ed25519" };

interface DemoWalletOptions {
  readonly name: string;
  readonly cluster: string;
  /** Gives the account play money; the wallet then connects. */
  readonly fund: (account: string) => Promise<unknown>;
}

export function registerDemoWallet({ name, cluster, fund }: DemoWalletOptions): void {
  let opened: Promise<{ account: WalletAccount; key: CryptoKey }> | null = null;
  const open = () => {
    opened ??= openKey(cluster);
    return opened;
  };
  registerWallet({
    name,
    icon: ICON,
    chains: [cluster],
    accounts: [],
    features: {
      "standard:connect": {
        connect: async () => {
          const { account } = await open();
          await fund(account.address);
          return { accounts: [account] };
        },
      },
      "solana:signMessage": {
        signMessage: async (...inputs) => {
          const { key } = await open();
          return Promise.all(
            inputs.map(async ({ message }) => ({
              signedMessage: message,
              signature: new Uint8Array(await crypto.subtle.sign(ALGORITHM, key, message.slice())),
            })),
          );
        },
      },
      "solana:signTransaction": {
        signTransaction: async (...inputs) => {
          const { account, key } = await open();
          return Promise.all(
            inputs.map(async ({ transaction }) => ({
              signedTransaction: await signTransaction(transaction, account.address, key),
            })),
          );
        },
      },
    },
  });
}

/** Announces a wallet of our own to all scripts of this page. */
function registerWallet(wallet: Wallet): void {
  const callback = ({ register }: AppApi) => register(wallet);
  dispatchEvent(new CustomEvent("wallet-standard:register-wallet", { detail: callback }));
  addEventListener("wallet-standard:app-ready", (event) => callback((event as CustomEvent<AppApi>).detail));
}

/** Opens the wallet of this browser, which is created at its first payment. */
async function openKey(cluster: string): Promise<{ account: WalletAccount; key: CryptoKey }> {
  const kept = localStorage.getItem(KEPT);
  const jwk = kept === null ? await makeKey() : (JSON.parse(kept) as JsonWebKey);
  const key = await crypto.subtle.importKey("jwk", jwk, ALGORITHM, false, ["sign"]);
  const publicKey = Uint8Array.from(atob(jwk.x!.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));
  return { account: { address: toBase58(publicKey), chains: [cluster] }, key };
}

async function makeKey(): Promise<JsonWebKey> {
  const pair = (await crypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"])) as CryptoKeyPair;
  const jwk = await crypto.subtle.exportKey("jwk", pair.privateKey);
  localStorage.setItem(KEPT, JSON.stringify(jwk));
  return jwk;
}

/** The accounts of a message are after counts, and in version 1 after a blockhash; the signers come first. */
const ACCOUNTS_AT = { version0: 5, version1: 42 };
/** The first byte of version 1, whose signatures come last. */
const VERSION_1 = 0x81;

/** Puts the signature in the account's place among the signers: a sponsor, or the other side, may sign before or after. */
async function signTransaction(transaction: Uint8Array, address: string, key: CryptoKey): Promise<Uint8Array> {
  const signed = transaction.slice();
  const isVersion1 = transaction[0] === VERSION_1;
  const signers = transaction[isVersion1 ? 1 : 0]!;
  const signaturesAt = isVersion1 ? transaction.length - 64 * signers : 1;
  const message = isVersion1 ? transaction.slice(0, signaturesAt) : transaction.slice(1 + 64 * signers);
  const accounts = message.subarray(isVersion1 ? ACCOUNTS_AT.version1 : ACCOUNTS_AT.version0);
  const accountAt = (at: number) => toBase58(accounts.subarray(32 * at, 32 * (at + 1)));
  const place = Array.from({ length: signers }, (_, at) => accountAt(at)).indexOf(address);
  if (place === -1) throw new Error("This wallet is no signer of the transaction.");
  signed.set(new Uint8Array(await crypto.subtle.sign(ALGORITHM, key, message)), signaturesAt + 64 * place);
  return signed;
}
