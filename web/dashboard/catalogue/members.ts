export const members = {
  title: "Members",
  text: (business: string) => `The people who work in ${business}. Roles apply to test and live.`,
  caption: "Members",
  yourself: (name: string) => `${name} (you)`,
  since: "Joined",
  actionsOf: (name: string) => `Actions for ${name}`,

  invite: "Invite member",
  inviteText: (days: number) => `An invitation works once and expires after ${days} days.`,
  roleChoice: (name: string, text: string) => `${name}: ${text}`,
  send: "Send invitation",
  sent: "Invitation sent.",
  linkTitle: (email: string) => `Invitation for ${email}`,
  link: "invitation",
  linkWarning: (email: string) =>
    `This deployment sends no email. Send the link to ${email} yourself, and to no one else: a person who has it joins under that address. It works once and is not shown again.`,

  byGroup: "by group",

  changeRole: "Change role",
  changeRoleTitle: (name: string) => `Change role of ${name}`,
  changeRoleText: "The new role applies immediately.",
  roleChanged: "Role changed.",

  leave: "Leave business",
  leaveTitle: (business: string) => `Leave ${business}?`,
  leaveText: "To come back, you need an invitation from an owner or admin.",
  left: (business: string) => `You left ${business}.`,
  remove: "Remove member",
  removeTitle: (name: string) => `Remove ${name}?`,
  removeText: "They lose access immediately. API keys that they created keep working.",
  removed: (name: string) => `${name} was removed.`,

  invitations: "Pending invitations",
  invitationsText: (days: number) =>
    `Each can be accepted once, within ${days} days, by the address that it was sent to.`,
  noInvitations: "No pending invitations",
  noInvitationsText: "People whom you invite appear here until they accept.",
  revoke: "Revoke",
  revoked: "Invitation revoked. Its link no longer works.",
} as const;
