/** The roles of a business's members, the most powerful first. */
export const ROLES = ["owner", "admin", "developer", "disputes", "read_only"] as const;
export type Role = (typeof ROLES)[number];

const PERMISSIONS = {
  read: ROLES,
  manage_keys: ["owner", "admin", "developer"],
  manage_webhooks: ["owner", "admin", "developer"],
  manage_members: ["owner", "admin"],
  manage_profile: ["owner", "admin"],
  restrict_recipients: ["owner"],
  answer_disputes: ["owner", "admin", "disputes"],
  create_payments: ["owner", "admin", "developer"],
  refund_payments: ["owner", "admin"],
  read_audit: ["owner", "admin"],
  compare_books: ["owner", "admin", "developer"],
} as const satisfies Readonly<Record<string, readonly Role[]>>;
export type Permission = keyof typeof PERMISSIONS;
export const PERMISSION_NAMES = Object.keys(PERMISSIONS) as readonly Permission[];

export const may = (role: Role, permission: Permission): boolean =>
  PERMISSIONS[permission].some((allowed) => allowed === role);

export const permissionsOf = (role: Role): readonly Permission[] =>
  PERMISSION_NAMES.filter((permission) => may(role, permission));

/** Lists the roles that have a permission, in words. */
export const rolesFor = (permission: Permission): string => PERMISSIONS[permission].join(", ");

/** Returns true if a member of this role may assign, remove, or invite to the other role: only owners decide about owners. */
export const canAssign = (role: Role, other: Role): boolean =>
  may(role, "manage_members") && (role === "owner" || other !== "owner");
