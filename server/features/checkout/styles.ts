/** The styles of the checkout: one column, readable at phone width, dark where the reader prefers it. */
export const CHECKOUT_STYLES = `
:root { color-scheme: light dark; --ink: #17211b; --soft: #57645c; --line: #dfe5e1; --card: #fff; --page: #f3f6f4; --good: #0b6b3a; --wait: #8a5a00; --bad: #a32020; }
@media (prefers-color-scheme: dark) { :root { --ink: #eaf1ec; --soft: #a3b1a8; --line: #2c3831; --card: #171e1a; --page: #0f1411; --good: #5fd695; --wait: #f0c05a; --bad: #ff9a8f; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 32rem; margin: 0 auto; padding: 2rem 1rem 3rem; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 14px; padding: 1.5rem; }
h1 { font-size: 1rem; font-weight: 500; color: var(--soft); margin: 0; overflow-wrap: anywhere; }
.amount { font-size: 2.25rem; font-weight: 650; letter-spacing: -0.02em; margin: 0.25rem 0 1rem; overflow-wrap: anywhere; }
.status { border-left: 4px solid; border-radius: 4px; padding: 0.25rem 0.75rem; margin: 0 0 1.25rem; }
.status p { margin: 0; color: var(--ink); }
.status strong { display: block; }
.good { border-color: var(--good); color: var(--good); } .waiting { border-color: var(--wait); color: var(--wait); } .bad { border-color: var(--bad); color: var(--bad); }
dl { margin: 0; display: grid; grid-template-columns: 1fr; gap: 0.75rem; border-top: 1px solid var(--line); padding-top: 1.25rem; }
dt { color: var(--soft); font-size: 0.875rem; } dd { margin: 0; overflow-wrap: anywhere; }
code { font: 0.875rem/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
.how { margin-top: 1rem; padding: 1rem 1.5rem; border: 1px dashed var(--line); border-radius: 14px; }
.how p { margin: 0 0 0.5rem; } .how code { display: block; background: var(--page); border: 1px solid var(--line); border-radius: 8px; padding: 0.5rem 0.75rem; }
footer { margin-top: 1rem; color: var(--soft); font-size: 0.875rem; text-align: center; }
`;
