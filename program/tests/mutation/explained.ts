/** Changes that no test can show, each with the reason. Filled by hand after a run; a name that fits no change any more is an error. */
export const EXPLAINED: Readonly<Record<string, string>> = {};
