/** Links to the dashboard with a secret after the #, which browsers send to no server. */

export const ownerLink = (dashboardUrl: string, secret: string): string => `${dashboardUrl}/sign-up#owner=${secret}`;
export const passwordLink = (dashboardUrl: string, secret: string): string => `${dashboardUrl}/password#link=${secret}`;

/** Contains the ids of the business and of the invitation: like everything, an invitation is read within its business. */
export const invitationLink = (dashboardUrl: string, invitation: InvitationSecret): string =>
  `${dashboardUrl}/invitation#invitation=${showInvitation(invitation)}`;

export interface InvitationSecret {
  readonly businessId: string;
  readonly id: string;
  readonly secret: string;
}

const showInvitation = ({ businessId, id, secret }: InvitationSecret): string => `${businessId}.${id}.${secret}`;

/** Returns null if the text has another form. */
export function parseInvitation(text: string): InvitationSecret | null {
  const [businessId, id, secret, ...rest] = text.split(".");
  return businessId && id && secret && rest.length === 0 ? { businessId, id, secret } : null;
}
