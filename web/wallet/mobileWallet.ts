// Wallets' apps on an Android phone, by the Mobile Wallet Adapter: a link opens the app, which answers on a port of the
// phone.
import { toBase58 } from "@holdfast/decoder";
import { fromBase64, toBase64 } from "./base64.ts";
import { newAssociation } from "./mobileChannel.ts";
import { MobileSession, MobileWalletError } from "./mobileSession.ts";
import { NothingSentError, type Wallet, type WalletAccount } from "./wallet.ts";
import { registerWallet } from "./walletStandard.ts";

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 20 20'%3E%3Crect x='5' y='1.5' width='10' height='17' rx='2.5' fill='%23fff' stroke='%23344054' stroke-width='1.6'/%3E%3Ccircle cx='10' cy='15.4' r='1' fill='%23344054'/%3E%3C/svg%3E";

/** A phone with an app for the link shows it, or asks which one, within this time; otherwise there is no app. */
const NOTICED_MS = 4_000;
/** A port without a listener on this device refuses at once. */
const REFUSED_MS = 500;
/** The time that a person may take for the browser's own question. */
const PERMISSION_MS_MAX = 60_000;
const ADDRESS_BYTES = 32;

/** Codes of the protocol, and of JSON-RPC. */
const [AUTHORIZATION_FAILED, INVALID_PAYLOADS, NOT_SIGNED, TOO_MANY_PAYLOADS, CHAIN_NOT_SUPPORTED] = [
  -1, -2, -3, -6, -7,
];
const [INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS] = [-32_600, -32_601, -32_602];
/**
 * After one of these errors to a request to send, the app has not signed. After any other, it may have failed after it
 * sent.
 */
const SENT_NOTHING: ReadonlySet<number> = new Set([
  AUTHORIZATION_FAILED,
  INVALID_PAYLOADS,
  NOT_SIGNED,
  TOO_MANY_PAYLOADS,
  CHAIN_NOT_SUPPORTED,
  INVALID_REQUEST,
  INVALID_PARAMS,
]);
/** The code by which wallets in a browser say that the user declined. */
const DECLINED = 4001;

/** The first version's names of the networks, by those of the second version. */
const LEGACY_CLUSTERS: Readonly<Record<string, string>> = {
  "solana:mainnet": "mainnet-beta",
  "solana:testnet": "testnet",
  "solana:devnet": "devnet",
};

interface Opened {
  readonly session: MobileSession;
  readonly account: WalletAccount;
  readonly canSign: boolean;
  readonly canSend: boolean;
}

/** What apps are told and asked; the names of the row and of the wallet in the page's texts. */
interface MobileWalletOptions {
  /** The network's name, "solana:mainnet". */
  readonly cluster: string;
  /** The ports where apps may answer, and the description of this site for them; null: no app can be asked. */
  readonly mobile: { readonly ports: readonly number[]; readonly identity: Readonly<Record<string, string>> } | null;
  readonly texts: Readonly<Record<string, string>>;
}

export function registerMobileWallet({ texts, cluster, mobile }: MobileWalletOptions): void {
  if (mobile === null || !isSecureContext) return;
  const { ports, identity } = mobile;
  let opened: Opened | null = null;
  let turns = 0;
  // Each attempt gets another port: the app of the last one may still occupy its own.
  const nextPort = () => ports[turns++ % ports.length]!;

  const connect = async (): Promise<{ accounts: readonly WalletAccount[] }> => {
    close();
    let port = nextPort();
    await allowLoopback(port);
    for (let tries = 1; tries < ports.length && (await isTaken(port)); tries++) port = nextPort();
    const association = await newAssociation();
    const noticed = new AbortController();
    const stopWatching = whenInFront(() => noticed.abort());
    location.assign(`solana-wallet:/v1/associate/local?association=${association.token}&port=${port}&v=v1`);
    const session = await MobileSession.open(port, association, noticed.signal)
      .catch(() => {
        throw new NothingSentError("noWalletApp");
      })
      .finally(stopWatching);
    try {
      opened = await authorize(session, cluster, identity);
    } catch (error) {
      session.close();
      throw error;
    }
    return { accounts: [opened.account] };
  };

  const close = () => {
    opened?.session.close();
    opened = null;
  };

  const call = (method: string, transaction: Uint8Array): Promise<unknown> => {
    if (opened === null) throw new NothingSentError("sessionLost");
    return opened.session.call(method, { payloads: [toBase64(transaction)] });
  };

  const signTransaction = async ({ transaction }: { readonly transaction: Uint8Array }) => {
    const answer = (await call("sign_transactions", transaction).catch((error: unknown) => {
      throw asWalletError(error);
    })) as { readonly signed_payloads?: readonly unknown[] };
    return { signedTransaction: readBase64(answer.signed_payloads?.[0]) };
  };

  const signAndSendTransaction = async (input: { readonly transaction: Uint8Array }) => {
    try {
      const answer = await call("sign_and_send_transactions", input.transaction);
      return { signature: readBase64((answer as { readonly signatures?: readonly unknown[] }).signatures?.[0]) };
    } catch (error) {
      // The app has no access to the network: it signs, and the service sends.
      if (error instanceof MobileWalletError && error.code === METHOD_NOT_FOUND) return signTransaction(input);
      // If the app signed, or the session broke, the transaction may have been sent.
      throw error instanceof MobileWalletError && SENT_NOTHING.has(error.code) ? asWalletError(error) : error;
    }
  };

  const all =
    <Input, Answer>(run: (input: Input) => Promise<Answer>) =>
    (...inputs: Input[]) =>
      Promise.all(inputs.map(run));
  const wallet: Wallet = {
    name: texts.walletApp ?? "wallet app",
    label: texts.walletAppRow ?? "",
    icon: ICON,
    chains: [cluster],
    accounts: [],
    isApp: true,
    close,
    // The app's abilities are known once it has answered.
    get features() {
      return {
        "standard:connect": { connect },
        ...((opened?.canSign ?? true) && { "solana:signTransaction": { signTransaction: all(signTransaction) } }),
        ...((opened?.canSend ?? true) && {
          "solana:signAndSendTransaction": { signAndSendTransaction: all(signAndSendTransaction) },
        }),
      };
    },
  };
  registerWallet(wallet);
}

/** Brings the session into a state in which the app signs, and finds the account that pays. */
async function authorize(
  session: MobileSession,
  cluster: string,
  identity: Readonly<Record<string, string>>,
): Promise<Opened> {
  const isLegacy = session.version === "legacy";
  const chain = isLegacy ? { cluster: LEGACY_CLUSTERS[cluster] ?? cluster } : { chain: cluster };
  const uri = location.origin;
  const refuse = (error: unknown) => {
    throw asWalletError(error);
  };
  const [authorized, capabilities] = (await Promise.all([
    session.call("authorize", { identity: { ...identity, uri }, ...chain }),
    session.call("get_capabilities", {}).catch((error: unknown) => {
      // An app that does not list its abilities has those that its protocol version requires.
      if (error instanceof MobileWalletError) return {};
      throw error;
    }),
  ]).catch(refuse)) as [
    { readonly accounts?: readonly { readonly address?: unknown; readonly chains?: readonly unknown[] }[] },
    {
      readonly features?: readonly unknown[];
      readonly supported_transaction_versions?: readonly unknown[];
      readonly supports_sign_and_send_transactions?: unknown;
    },
  ];
  const versions = capabilities.supported_transaction_versions;
  if (versions !== undefined && !versions.some((one) => String(one) === "0"))
    throw new NothingSentError("oldWalletApp");
  const accounts = authorized.accounts ?? [];
  const serves = ({ chains }: (typeof accounts)[number]) =>
    isLegacy || chains === undefined || chains.includes(cluster) || chains.includes(LEGACY_CLUSTERS[cluster]);
  const account = accounts.find(serves);
  if (account === undefined && accounts.length > 0) throw new NothingSentError("otherNetwork");
  const address = readBase64(account?.address);
  if (address.length !== ADDRESS_BYTES) throw new NothingSentError("noAccount");
  return {
    session,
    account: { address: toBase58(address), chains: [cluster] },
    // In the first version every app signs; in the second every app sends.
    canSign: isLegacy || (capabilities.features ?? []).includes("solana:signTransactions"),
    canSend: !isLegacy || capabilities.supports_sign_and_send_transactions !== false,
  };
}

/** Converts an error into the page's errors of wallets. In all these cases the app signed nothing, or did not pass it on. */
function asWalletError(error: unknown): Error {
  if (error instanceof NothingSentError) return error;
  if (!(error instanceof MobileWalletError)) return new NothingSentError("sessionLost");
  if (error.code === CHAIN_NOT_SUPPORTED) return new NothingSentError("otherNetwork");
  if (error.code === AUTHORIZATION_FAILED || error.code === NOT_SIGNED)
    return Object.assign(new Error(error.message), { code: DECLINED });
  return new NothingSentError(null, `${error.message} (${error.code})`);
}

/** Decodes base64; empty if it is invalid. */
function readBase64(value: unknown): Uint8Array {
  try {
    return typeof value === "string" ? fromBase64(value) : new Uint8Array();
  } catch {
    return new Uint8Array(); // invalid base64: the caller checks the length
  }
}

/**
 * Calls back if the browser stays in front, or returns to the front, for so long that no app will answer: none opened, or
 * the opened one gave up. Returns a function that ends the watch.
 */
function whenInFront(onStayed: () => void): () => void {
  let timer = setTimeout(onStayed, NOTICED_MS);
  const leave = () => clearTimeout(timer);
  const comeBack = () => {
    clearTimeout(timer);
    timer = setTimeout(onStayed, NOTICED_MS);
  };
  const change = () => (document.hidden ? leave() : comeBack());
  addEventListener("blur", leave);
  addEventListener("focus", comeBack);
  document.addEventListener("visibilitychange", change);
  return () => {
    leave();
    removeEventListener("blur", leave);
    removeEventListener("focus", comeBack);
    document.removeEventListener("visibilitychange", change);
  };
}

/**
 * Returns true if a program of this device already listens on the port, so that no app can. That includes a program that
 * accepts and never answers.
 */
const isTaken = (port: number): Promise<boolean> =>
  fetch(`http://localhost:${port}/solana-wallet`, { mode: "no-cors", signal: AbortSignal.timeout(REFUSED_MS) }).then(
    () => true,
    (error: Error) => error.name === "TimeoutError",
  );

/**
 * Some browsers ask before a page may connect to its own device. That question must be answered before the app covers it,
 * so this connection comes first. Only a tap opens an app, so it may take a second tap.
 */
async function allowLoopback(port: number): Promise<void> {
  // A page from this device needs no permission.
  if (["localhost", "127.0.0.1", "[::1]"].includes(location.hostname)) return;
  const permission = await findPermission();
  const stateNow = (): PermissionState => permission?.state ?? "granted";
  if (permission === null || stateNow() === "granted") return;
  if (stateNow() === "prompt") {
    const answered = new Promise((resolve) => permission.addEventListener("change", resolve, { once: true }));
    const asked = fetch(`http://localhost:${port}/solana-wallet`, { mode: "no-cors" }).catch(() => undefined);
    const late = new Promise((resolve) => setTimeout(resolve, PERMISSION_MS_MAX));
    await Promise.race([answered, asked, late]);
  }
  if (stateNow() === "denied") throw new NothingSentError("appsBlocked");
  if (stateNow() === "granted" && !navigator.userActivation.isActive) throw new NothingSentError("pressAgain");
}

/** Null: this browser does not ask. */
async function findPermission(): Promise<PermissionStatus | null> {
  for (const name of ["loopback-network", "local-network-access"])
    try {
      return await navigator.permissions.query({ name: name as PermissionName });
    } catch {
      // This browser lacks this permission; it may have it under the other name.
    }
  return null;
}
