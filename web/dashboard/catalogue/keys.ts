export const keys = {
  title: "API keys",
  text: (environment: string, max: number) =>
    `Your server authenticates with a key. These are the ${environment} keys; up to ${max} can be active.`,
  emptyTitle: "No API keys",
  emptyText: "Create a key to let your server call the API. Its secret is shown only once.",

  unnamed: "Unnamed",
  states: { active: "Active", in_grace: "Expiring", expired: "Expired", revoked: "Revoked" },
  expiresAt: "Expires {time}",
  scope: "Access",
  scopes: { full: "Full access", read: "Read-only", disputes: "Disputes" },
  actionsOf: (name: string | null, last4: string) => `Actions for ${name ?? "the key"} …${last4}`,

  create: "Create key",
  createTitle: (environment: string) => `Create ${environment} key`,
  createText: "The secret is shown only once.",
  nameHint: "Where the key is used, such as Shop server.",
  scopeChoices: {
    full: "Full access: read and write",
    read: "Read-only",
    disputes: "Disputes: read everything, write statements and offers",
  },
  newKeyTitle: (name: string | null) => (name === null ? "Your new key" : `Your new key: ${name}`),
  secret: "API key",
  secretWarning: "Copy the key and store it where your server reads it. It is not shown again.",

  roll: "Roll key",
  rollTitle: (name: string | null) => `Roll ${name ?? "the key"}`,
  rollText: "Creates a key with the same name and access. The old key works until it expires.",
  grace: "Expire the old key",
  graces: { none: "Now", "1h": "In 1 hour", "24h": "In 24 hours", "7d": "In 7 days" },

  revoke: "Revoke key",
  revokeTitle: (name: string | null) => `Revoke ${name ?? "the key"}?`,
  revokeText:
    "The key stops working immediately. If it replaced a key that has not expired, that key stops working too.",
  revoked: "Key revoked.",
} as const;
