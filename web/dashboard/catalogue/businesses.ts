export const businesses = {
  title: "Businesses",
  text: "Operators see the names of all businesses, and open those in which they have a role.",
  ownTitle: "Your businesses",
  ownText: "The businesses in which you have a role.",
  tabs: { label: "Businesses", yours: "Yours", all: "All businesses" },
  emptyTitle: "No businesses",
  emptyText: "To join a business, ask one of its owners or admins for an invitation.",
  emptyTextOperator: "Add a business to become its owner. To join an existing one, run this command:",
  joinCommand: (email: string) => `npm run admin -- member add <business id> ${email} --role owner`,
  role: "Your role",
  allCaption: "All businesses of this deployment",
  add: "Add business",
  addText: "You become its owner.",
  nameHint: "Buyers see it at the checkout.",

  roles: {
    owner: { name: "Owner", text: "Full access, including who else is an owner." },
    admin: { name: "Admin", text: "Manages API keys and members, and reads the audit log." },
    developer: { name: "Developer", text: "Manages API keys." },
    disputes: { name: "Disputes", text: "Answers disputes and views everything else." },
    read_only: { name: "Read-only", text: "Views everything and changes nothing." },
  },
} as const;
