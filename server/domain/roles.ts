/** What a member of a business may do there, the most first. */
export const ROLES = ["owner", "admin", "developer", "read_only"] as const;
export type Role = (typeof ROLES)[number];

const PERMISSIONS = {
  read: ["owner", "admin", "developer", "read_only"],
  manage_keys: ["owner", "admin", "developer"],
  manage_webhooks: ["owner", "admin", "developer"],
  manage_members: ["owner", "admin"],
  manage_profile: ["owner", "admin"],
  restrict_recipients: ["owner"],
  read_audit: ["owner", "admin"],
} as const satisfies Readonly<Record<string, readonly Role[]>>;
export type Permission = keyof typeof PERMISSIONS;
export const PERMISSION_NAMES = Object.keys(PERMISSIONS) as readonly Permission[];

export const may = (role: Role, permission: Permission): boolean =>
  PERMISSIONS[permission].some((allowed) => allowed === role);

export const permissionsOf = (role: Role): readonly Permission[] =>
  PERMISSION_NAMES.filter((permission) => may(role, permission));

/** The roles that a permission asks for, in words. */
export const rolesFor = (permission: Permission): string => PERMISSIONS[permission].join(", ");

/** Whether a member of this role may give that role, take it away, or invite to it: only owners decide about owners. */
export const canAssign = (role: Role, other: Role): boolean =>
  may(role, "manage_members") && (role === "owner" || other !== "owner");
