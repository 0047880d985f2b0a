/** Addresses of the dashboard that carry a secret: behind the #, so that no server and no other site is sent it. */

export const ownerLink = (dashboardUrl: string, secret: string): string => `${dashboardUrl}/sign-up#owner=${secret}`;
export const passwordLink = (dashboardUrl: string, secret: string): string => `${dashboardUrl}/password#link=${secret}`;

/** The invitation's business and id come along: an invitation is looked up in its business, as everything is. */
export const invitationLink = (dashboardUrl: string, invitation: InvitationSecret): string =>
  `${dashboardUrl}/invitation#invitation=${showInvitation(invitation)}`;

export interface InvitationSecret {
  readonly businessId: string;
  readonly id: string;
  readonly secret: string;
}

const showInvitation = ({ businessId, id, secret }: InvitationSecret): string => `${businessId}.${id}.${secret}`;

/** Null: it has not the form of one. */
export function parseInvitation(text: string): InvitationSecret | null {
  const [businessId, id, secret, ...rest] = text.split(".");
  return businessId && id && secret && rest.length === 0 ? { businessId, id, secret } : null;
}
