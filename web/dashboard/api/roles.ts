import type { StaffBusiness } from "./schema.ts";

type Role = StaffBusiness["role"];

/** Roles as they are read, the most first. */
export const ROLE_TEXTS: Readonly<Record<Role, { readonly name: string; readonly text: string }>> = {
  owner: { name: "Owner", text: "Does everything, and decides who else is an owner." },
  admin: { name: "Admin", text: "Manages keys and members, and reads the audit log." },
  developer: { name: "Developer", text: "Manages API keys." },
  read_only: { name: "Read only", text: "Sees everything, and changes nothing." },
};
