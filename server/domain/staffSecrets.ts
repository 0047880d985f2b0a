import { hash, randomBytes } from "node:crypto";

/** A secret of 256 random bits, for a session, a link or a ticket. */
export const newStaffSecret = (): string => randomBytes(32).toString("base64url");

/** How such a secret is stored, in hex: with so many random bits a plain hash is enough. */
export const hashStaffSecret = (secret: string): string => hash("sha256", secret, "hex");
