import * as texts from "../catalogue/index.ts";

/** The order matters: later browsers also use the names of earlier ones. */
const BROWSERS = [
  [/Edg\//, texts.account.browsers.edge],
  [/OPR\//, texts.account.browsers.opera],
  [/Firefox\//, texts.account.browsers.firefox],
  [/Chrome\/|CriOS\//, texts.account.browsers.chrome],
  [/Safari\//, texts.account.browsers.safari],
] as const;
const SYSTEMS = [
  [/iPhone|iPad/, texts.account.systems.ios],
  [/Android/, texts.account.systems.android],
  [/Mac OS X/, texts.account.systems.macos],
  [/Windows/, texts.account.systems.windows],
  [/Linux|X11/, texts.account.systems.linux],
] as const;

/** The name of a browser and its system; if the browser is unknown, the start of its user agent. */
export function browserOf(userAgent: string): string {
  const browser = BROWSERS.find(([pattern]) => pattern.test(userAgent))?.[1];
  const system = SYSTEMS.find(([pattern]) => pattern.test(userAgent))?.[1];
  if (browser === undefined) return userAgent === "" ? texts.account.unknownBrowser : userAgent.slice(0, 40);
  return system === undefined ? browser : texts.account.browserOn(browser, system);
}
