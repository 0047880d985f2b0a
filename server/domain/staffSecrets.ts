import { hash, randomBytes } from "node:crypto";

/** Makes a secret of 256 random bits, for a session, a link or a ticket. */
export const newStaffSecret = (): string => randomBytes(32).toString("base64url");

/** Returns the stored form of such a secret, in hex: for 256 random bits a plain hash is enough. */
export const hashStaffSecret = (secret: string): string => hash("sha256", secret, "hex");
