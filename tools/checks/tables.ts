import { isModule, isTest, readText } from "./files.ts";

type Names = Readonly<Record<string, readonly string[]>>;

/** The tables of each folder. Those of `store` are below all others, and everybody may name them. */
const OWNERS: Names = {
  "server/store": ["clocks", "nonce_secret"],
  "server/edge/http": ["form_keys", "idempotency_keys"],
  "server/features/audit": ["audit_log"],
  "server/features/books": ["books_assets", "books_checks", "books_findings", "price_days"],
  "server/features/buyerEmails": [
    "buyer_addresses",
    "buyer_email_days",
    "buyer_mailboxes",
    "buyer_notices",
    "mailbox_secret",
  ],
  "server/features/businesses": ["business_logos", "businesses", "refund_policies"],
  "server/features/chains": ["blockhashes", "chains", "deployments", "known_assets", "known_recipients"],
  "server/features/checkout": [
    "checkout_attempts",
    "checkout_rates",
    "checkout_terms",
    "sponsor_budgets",
    "sponsorships",
  ],
  "server/features/disputes": [
    "arbiter_emails",
    "dispute_addresses",
    "dispute_agreements",
    "dispute_challenges",
    "dispute_decisions",
    "dispute_erasures",
    "dispute_file_parts",
    "dispute_files",
    "dispute_holders",
    "dispute_emails",
    "dispute_links",
    "dispute_notes",
    "dispute_notices",
    "dispute_offers",
    "dispute_questions",
    "dispute_rulings",
    "dispute_sessions",
    "dispute_statements",
    "dispute_uploads",
    "dispute_waits",
    "disputes",
    "own_arbiters",
    "usual_outcomes",
  ],
  "server/features/domains": ["business_domains"],
  "server/features/emails": ["emails"],
  "server/features/events": ["event_counters", "event_keys", "events"],
  "server/features/fulfillments": ["fulfillments"],
  "server/features/intents": ["intent_batches", "intents"],
  "server/features/keys": ["api_key_hashes", "api_keys", "key_rates"],
  "server/features/links": ["payment_link_intents", "payment_link_seats", "payment_links"],
  "server/features/overview": ["payment_days"],
  "server/features/payments": ["payments", "reverted_payments", "unmatched_payments"],
  "server/features/rates": ["fiat_days", "fiat_entries", "fiat_rates", "token_rates"],
  "server/features/receipts": ["receipt_signing_keys"],
  "server/features/recipients": ["former_recipients", "saved_recipients", "saved_recipients_only"],
  "server/features/recording": ["chain_inbox", "unmatched_notes"],
  "server/features/requests": ["request_log"],
  "server/features/staff": [
    "backup_codes",
    "company_identities",
    "former_members",
    "invitations",
    "known_browsers",
    "members",
    "one_time_secrets",
    "passkeys",
    "sessions",
    "sign_in_tries",
    "user_log",
    "users",
  ],
  "server/features/webhooks": [
    "webhook_all_deliveries",
    "webhook_attempts",
    "webhook_deliveries",
    "webhook_endpoints",
    "webhook_hours",
    "webhook_leases",
    "webhook_queue",
    "webhook_resends",
    "webhook_workers",
  ],
};

/** A statement that names tables of other folders: its path, the tables and the reason. */
export interface SharedTables {
  readonly path: string;
  readonly tables: readonly string[];
  readonly why: string;
}

export const SHARED_TABLES: readonly SharedTables[] = [
  {
    path: "server/features/chains/queries.ts",
    tables: ["chain_inbox", "events", "intents", "unmatched_payments"],
    why: "A chain that is untied goes with all that is known of it, in one statement.",
  },
  {
    path: "server/features/books/",
    tables: ["businesses", "payment_days", "payments", "sponsorships", "unmatched_payments"],
    why: "The books are sums of what other features record, compared with it at one moment.",
  },
  {
    path: "server/features/checkout/paying/",
    tables: ["intents"],
    why: "A build is kept only for an intent that can still be paid, in one statement.",
  },
  {
    path: "server/features/checkout/sponsoring/",
    tables: ["businesses", "payments"],
    why: "The limits are shared among businesses, and rents come back with the books of payments: one statement each.",
  },
  {
    path: "server/features/disputes/desk/",
    tables: [
      "businesses",
      "former_members",
      "former_recipients",
      "intents",
      "members",
      "payment_days",
      "payments",
      "saved_recipients",
      "unmatched_payments",
      "users",
    ],
    why: "The desk reads a dispute with its payment, its holder and its conflicts of interest in one round trip.",
  },
  {
    path: "server/features/intents/retention.ts",
    tables: ["businesses"],
    why: "A pass through all intents goes business by business, since their indexes do.",
  },
  {
    path: "server/features/keys/admission.ts",
    tables: ["businesses"],
    why: "Every request reads the lifetime of its business with the key, in one measured statement.",
  },
  {
    path: "server/features/overview/",
    tables: ["businesses", "deployments", "disputes", "payments", "unmatched_payments", "webhook_endpoints"],
    why: "The home page reads what needs a person of all features in one statement, measured.",
  },
  {
    path: "server/features/recording/",
    tables: ["chains", "intents", "payments", "reverted_payments", "unmatched_payments"],
    why: "Recording is the only way in: payments and their intents change in one statement, and the cursors stand in the row of the chain.",
  },
  {
    path: "server/features/settlement/",
    tables: ["businesses", "intents", "payments", "unmatched_payments"],
    why: "The keeper's state stands in the rows of the payments that it claims, business by business.",
  },
  {
    path: "server/features/staff/",
    tables: ["businesses"],
    why: "A business is added with its first owner, a fragment of staff; so staff can import none of businesses.",
  },
  {
    path: "server/features/webhooks/delivery/",
    tables: ["event_counters", "events"],
    why: "A claim reads the events that it sends in its own statement, and a replay pages through them by their sequence.",
  },
];

/** The modules that may hold SQL, by their roles: besides these, the steps of loops and the small tables of one module. */
const HOLDERS = /(?:^|\/)(?:\w*[qQ]ueries|fragments|figures|admission|claims)\.ts$/;
const OTHER_HOLDERS: Names = {
  "server/app": ["restore/admin.ts", "restore/restore.ts"],
  "server/edge/http": ["formKeys.ts", "idempotency.ts", "sealedAnswers.ts", "listFilters.ts"],
  "server/features/checkout": ["rates.ts"],
  "server/features/domains": ["actions.ts"],
  "server/features/intents": ["createIntent.ts", "expiry.ts", "retention.ts"],
  "server/features/recording": ["sweep/behindWatch.ts"],
  "server/features/staff": [
    "actions.ts",
    "signIn/browsers.ts",
    "signIn/oneTime.ts",
    "signIn/passkeys.ts",
    "signIn/sessions.ts",
    "tries.ts",
  ],
  "server/features/webhooks": [
    "delivery/completions.ts",
    "delivery/history.ts",
    "delivery/list.ts",
    "delivery/notify.ts",
    "delivery/upkeep.ts",
  ],
};
const OTHERS = new Set(
  Object.entries(OTHER_HOLDERS).flatMap(([folder, files]) => files.map((file) => `${folder}/${file}`)),
);

const OWNER_OF = new Map(Object.entries(OWNERS).flatMap(([folder, tables]) => tables.map((table) => [table, folder])));

/** The texts of the templates of a module that are tagged `sql`, pieces in pieces too, each without its values. */
function readStatements(source: string): string[] {
  const found: string[] = [];
  const text = source.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
  /** Reads the template that begins behind a backtick, and returns the place behind its end. */
  const readTemplate = (start: number, isSql: boolean): number => {
    let own = "";
    let at = start;
    while (at < text.length && text[at] !== "`") {
      if (text.startsWith("${", at)) {
        own += " ? ";
        at = readCode(at + 2);
      } else {
        own += text[at];
        at += text[at] === "\\" ? 2 : 1;
      }
    }
    if (isSql) found.push(own);
    return at + 1;
  };
  /** Reads code to the brace that closes it, or to the end. */
  const readCode = (start: number): number => {
    let depth = 0;
    for (let at = start; at < text.length; ) {
      const one = text[at]!;
      if (one === "`") at = readTemplate(at + 1, text.slice(at - 3, at) === "sql");
      else if (one === '"' || one === "'") at = endOfString(at);
      else if (one === "/" && /(?:[(=:[!&|?{};,]|=>|return)\s*$/.test(text.slice(Math.max(0, at - 20), at)))
        at = endOfPattern(at);
      else {
        if (one === "{") depth++;
        if (one === "}" && depth-- === 0) return at + 1;
        at++;
      }
    }
    return text.length;
  };
  const endOfString = (start: number): number => {
    const quote = text[start]!;
    for (let at = start + 1; at < text.length && text[at] !== "\n"; at++) {
      if (text[at] === "\\") at++;
      else if (text[at] === quote) return at + 1;
    }
    return start + 1;
  };
  /** A regular expression, in which a quote or a backtick is one character. */
  const endOfPattern = (start: number): number =>
    start + (/^\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\//.exec(text.slice(start, start + 1_000))?.[0].length ?? 1);
  for (let at = 0; at < text.length; ) at = readCode(at);
  return found;
}

const RELATIONS =
  /\b(?:from|join|into|update|using|truncate)\s+(?:only\s+)?((?:[a-z_]+(?:\s+(?:as\s+)?[a-z]+)?\s*,\s*)*[a-z_]+)/g;

/** The tables that a statement names. */
function tablesOf(statement: string): string[] {
  const plain = statement.replace(/--.*$/gm, "");
  const own = new Set(
    [...plain.matchAll(/\b([a-z_]+)(?:\s*\([^()]*\))?\s+as\s+(?:not\s+)?(?:materialized\s+)?\(/g)].map(
      ([, name]) => name!,
    ),
  );
  const named = [...plain.matchAll(RELATIONS)].flatMap(([, list]) =>
    list!.split(",").map((one) => one.trim().split(/\s/)[0]!),
  );
  return [...new Set([plain.trim(), ...named])].filter((name) => OWNER_OF.has(name) && !own.has(name));
}

const CREATED =
  /\b(?:create\s+(?:unlogged\s+)?table\s+(?:if\s+not\s+exists\s+)?|alter\s+table\s+[a-z_]+\s+rename\s+to\s+)([a-z_]+)(?!\s+partition\s+of)\b/gi;
const DROPPED = /\b(?:drop\s+table\s+|alter\s+table\s+(?=[a-z_]+\s+rename\s+to\s))([a-z_]+)/gi;

/**
 * Finds statements that name a table of another folder or stand in a file that may hold none, tables without a folder, and
 * exceptions that no statement needs. Migrations and tests may name all tables.
 */
export const checkTables =
  (shared: readonly SharedTables[], others: ReadonlySet<string> = OTHERS) =>
  (root: string, files: readonly string[]): string[] => {
    const read = (path: string) => readText(root, path);
    const inMigrations = (pattern: RegExp) =>
      files
        .filter((path) => path.endsWith(".sql") && path.startsWith("server/store/migrations/"))
        .flatMap((path) => [...read(path).matchAll(pattern)].map(([, name]) => name!));
    const created = inMigrations(CREATED);
    const dropped = new Set(inMigrations(DROPPED));
    if (created.length === 0) return ["The check of tables saw none in server/store/migrations/."];
    const unneeded = new Set(shared.flatMap(({ path, tables }) => tables.map((table) => `${path} ${table}`)));
    const unheld = new Set(others);
    const problems: string[] = [...new Set(created)]
      .filter((table) => !dropped.has(table) && !OWNER_OF.has(table) && !table.endsWith("_default"))
      .map((table) => `The table ${table} belongs to no folder: name it in tools/checks/tables.ts.`);
    for (const path of files.filter((one) => one.startsWith("server/") && isModule(one) && !isTest(one))) {
      const statements = readStatements(read(path));
      if (!path.startsWith("server/store/") && statements.some((one) => VERB.test(one)) && !HOLDERS.test(path)) {
        if (!unheld.delete(path))
          problems.push(`${path} holds SQL: write it in queries.ts or fragments.ts of its folder.`);
      }
      for (const table of new Set(statements.flatMap(tablesOf))) {
        const owner = OWNER_OF.get(table)!;
        if (owner === "server/store" || path.startsWith(`${owner}/`) || path.startsWith("server/store/")) continue;
        const exception = shared.find((one) => path.startsWith(one.path) && one.tables.includes(table));
        if (exception === undefined)
          problems.push(`${path} names the table ${table} of ${owner}/: import a piece of its fragments.ts instead.`);
        else unneeded.delete(`${exception.path} ${table}`);
      }
    }
    for (const one of [...unneeded, ...unheld])
      problems.push(`Nothing needs the exception "${one}" any more: remove it.`);
    return problems;
  };

const VERB = /\b(?:select|insert\s+into|update|delete\s+from)\b/;
