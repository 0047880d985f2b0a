import { plural } from "./plural.ts";

export const signIn = {
  title: "Sign in",
  submit: "Sign in",
  shops: "For shop owners: what it costs, who decides, who is liable",
  forgot: "Forgot your password?",
  passkey: "Sign in with a passkey",
  noPasskey: "No passkey was used. Try again, or sign in another way.",

  company: {
    button: (company: string) => `Sign in with ${company}`,
    title: "Signing in",
    failed: "You are not signed in",
  },

  codeTitle: "Enter your code",
  codeText: "Enter the code from your authenticator app, or a backup code.",
  back: "Back",
  toSignIn: "Go to sign-in",

  name: "Your name",
  newPassword: "New password",
  newPasswordHint: (min: number, max: number) =>
    `${min} to ${max} characters. Several unrelated words are better than special characters.`,

  unusableTitle: "This link does not work",
  incomplete: {
    owner: "The link is incomplete. Open the whole link that the command printed.",
    invitation: "The link is incomplete. Open the whole link from the email.",
    password: "The link is incomplete. Open the whole link.",
  },

  owner: {
    title: "Create the first user",
    text: "You become an operator of this deployment and can add businesses.",
    submit: "Create user",
  },

  reset: {
    title: "Forgot your password?",
    text: "We email you a link to set a new password.",
    submit: "Send link",
    sentTitle: "Check your email",
    sentText: "If the address belongs to a user, a link is on its way. It works once and expires after one hour.",
    noMailTitle: "Ask the operator",
    noMailText:
      "This deployment sends no email. Its operator can create a link for you: npm run admin -- user reset-link.",
  },

  invitation: {
    title: "Invitation",
    failed: "The invitation could not be loaded",
    joinTitle: (business: string) => `Join ${business}`,
    joinText: (email: string, role: string, roleText: string) =>
      `You join as ${email} with the role ${role}: ${roleText}`,
    submit: "Join",
    signInAs: (email: string) => `Sign in as ${email}, then open this link again.`,
    otherUser: (present: string, email: string) =>
      `You are signed in as ${present}. Sign in as ${email}, then open this link again.`,
  },

  setPassword: {
    title: "Set your password",
    failed: "The link could not be loaded",
    submit: "Set password",
    app: "Authenticator app",
    appText:
      "Your authenticator app stays: the next sign-in asks for its code or a backup code. If you lost the app, or did not add it, ask the operator of this deployment to remove it.",
    passkeys: "Passkeys",
    passkeysText: "A passkey signs in without your password. Keep only passkeys that you recognize and still have.",
    removePasskey: (name: string) => `Remove ${name}`,
    passkeyTimes: "Added {added}, last used {used}",
    neverUsed: "never",
    sessions: "Sessions",
    sessionsText: (count: number) => plural(count, { one: "This session ends.", other: "These # sessions end." }),
    session: "{address}, last used {time}",
    moreSessions: (count: number) => plural(count, { one: "and # more", other: "and # more" }),
    doneTitle: "Your password is set",
    doneText: (removed: number) =>
      `${
        removed === 0
          ? "All your sessions have ended."
          : plural(removed, {
              one: "All your sessions have ended, and one passkey was removed.",
              other: "All your sessions have ended, and # passkeys were removed.",
            })
      } Sign in with the new password.`,
  },
} as const;
