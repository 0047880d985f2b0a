export const inspector = {
  title: "Find by ID",
  text: (business: string, environment: string) =>
    `Enter the ID of an intent, payment, event, endpoint, delivery or key, a Request-Id, a transaction signature, an address, any part of a reference or an amount. Searches ${business}, ${environment}.`,
  field: "ID, signature, address, reference or amount",
  hint: "Press Enter to search.",
  secret: "This is a secret. It was not sent. Do not paste it anywhere; the ID of a key starts with key_.",
  otherEnvironment: (idEnvironment: string, environment: string) =>
    `This ID belongs to ${idEnvironment}, and you are viewing ${environment}. Switch to ${idEnvironment} and try again.`,
  notFound: (business: string, environment: string) =>
    `Nothing found in ${business}, ${environment}. A request that was just answered may take a moment to appear.`,
} as const;
