export const shell = {
  product: "Holdfast",
  pageTitle: (title: string) => `${title} · Holdfast`,
  skip: "Skip to content",
  navigation: "Navigation",
  business: "Business",
  find: "Find",
  findById: "Find by ID",
  shortcut: { mac: "⌘K", other: "Ctrl K" },
  allBusinesses: "All businesses",
  yourBusinesses: "Your businesses",
  yourAccount: "Your account",
  signOut: "Sign out",
  showMore: "Show more",

  groups: { developers: "Developers", business: "Business" },
  links: {
    payments: "Payments",
    intents: "Payment intents",
    keys: "API keys",
    webhooks: "Webhooks",
    events: "Events",
    requests: "Requests",
    profile: "Profile",
    recipients: "Recipients",
    members: "Members",
    audit: "Audit log",
  },

  environment: "Environment",
  environments: { test: "Test", live: "Live" },
  banners: {
    test: "Test environment: no real money moves.",
    live: "Live environment: payments move real money.",
  },
  notSetUp: (environment: string) => `${environment} is not set up`,
  notSetUpText:
    "This deployment has no chain for this environment, so there are no keys, payments or events. To set it up, the operator of the deployment adds the chain's nodes to the settings.",
  goTo: (environment: string) => `Go to ${environment}`,

  notFoundTitle: "Page not found",
  notFoundText: "The address is wrong, or you do not have access to this page.",
  goHome: "Go to the home page",
  pageFailed: "This page could not be loaded",
  failed: "This could not be loaded",
  forbidden: "Your role does not allow this",

  proof: {
    title: "Confirm that it is you",
    text: (minutes: number) => `This change needs a recent sign-in. The confirmation lasts ${minutes} minutes.`,
    passkey: "Use a passkey",
    codeHint: "From your authenticator app, or a backup code.",
  },
} as const;
