/** The styles of the reference: contents at the left of the text, above it on a phone; dark where the reader prefers it. */
export const REFERENCE_STYLES = `
:root { color-scheme: light dark; --ink: #17211b; --soft: #57645c; --line: #dfe5e1; --card: #fff; --page: #f3f6f4; --link: #0b6b3a; --get: #0b5c8a; --post: #0b6b3a; }
@media (prefers-color-scheme: dark) { :root { --ink: #eaf1ec; --soft: #a3b1a8; --line: #2c3831; --card: #171e1a; --page: #0f1411; --link: #5fd695; --get: #7cc4f0; --post: #5fd695; } }
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.55 system-ui, sans-serif; }
a { color: var(--link); }
.layout { max-width: 76rem; margin: 0 auto; display: grid; grid-template-columns: 15rem minmax(0, 1fr); gap: 2rem; padding: 1.5rem 1rem 4rem; }
nav { position: sticky; top: 1rem; align-self: start; max-height: calc(100vh - 2rem); overflow-y: auto; font-size: 0.875rem; }
nav p { margin: 0.75rem 0 0.25rem; font-weight: 600; } nav ul { list-style: none; margin: 0; padding: 0; }
nav a { display: block; padding: 0.15rem 0; color: inherit; text-decoration: none; overflow-wrap: anywhere; } nav a:hover { color: var(--link); text-decoration: underline; }
h1 { font-size: 2rem; letter-spacing: -0.02em; margin: 0 0 0.25rem; } h2 { font-size: 1.5rem; margin: 3rem 0 0.5rem; } h3 { margin: 0 0 0.25rem; font-size: 1.125rem; }
h4 { margin: 1.25rem 0 0.25rem; font-size: 0.9375rem; } p { margin: 0.5rem 0; } .lead { color: var(--soft); font-size: 1.0625rem; }
article { background: var(--card); border: 1px solid var(--line); border-radius: 14px; padding: 1.25rem; margin: 1rem 0; }
article article, #webhooks article { padding: 0.75rem 1.25rem; } #webhooks article h4 { margin-top: 0; }
code { font: 0.875em/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
pre { background: var(--page); border: 1px solid var(--line); border-radius: 8px; padding: 0.75rem; margin: 0.5rem 0; overflow-x: auto; font-size: 0.875rem; }
pre.curl { white-space: pre-wrap; }
.route span { font: 600 0.8125rem/1 ui-monospace, monospace; border: 1px solid; border-radius: 5px; padding: 0.15rem 0.4rem; } .get { color: var(--get); } .post { color: var(--post); }
.fields { margin: 0; } .fields > div { border-top: 1px solid var(--line); padding: 0.5rem 0; } .fields > div:first-child { border-top: 0; }
dt em { font-style: normal; font-size: 0.75rem; color: var(--soft); } .type { color: var(--soft); font-size: 0.875rem; margin-left: 0.75rem; overflow-wrap: anywhere; } dd { margin: 0.1rem 0 0; font-size: 0.9375rem; }
details { margin: 0.5rem 0; } summary { cursor: pointer; color: var(--link); } .errors { columns: 18rem; padding-left: 1.25rem; margin: 0.5rem 0; }
@media (max-width: 52rem) { .layout { grid-template-columns: minmax(0, 1fr); gap: 1rem; } nav { position: static; max-height: none; border-bottom: 1px solid var(--line); padding-bottom: 1rem; } nav ul { columns: 10rem; } nav .objects { display: none; } h2 { margin-top: 2rem; } }
`;
