import { FONT } from '../charts/theme.js'

/** The look of a report: a quiet page, readable in print and in the dark. */
export const STYLE = `:root {
  color-scheme: light dark;
  --ink: #1b1f24;
  --faint: #5b6470;
  --line: #d8dde3;
  --paper: #ffffff;
  --shade: #f5f7f9;
}
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e8ec; --faint: #9aa4af; --line: #3a424c; --paper: #14181d; --shade: #1d232a; }
}
body {
  margin: 0;
  background: var(--paper);
  color: var(--ink);
  font: 16px/1.6 ${FONT};
}
main { max-width: 780px; margin: 0 auto; padding: 40px 20px 80px; }
h1 { font-size: 1.6rem; line-height: 1.3; margin: 0 0 1.2rem; }
h2 { font-size: 1.2rem; margin: 2.4rem 0 0.6rem; padding-top: 0.8rem; border-top: 1px solid var(--line); }
h3 { font-size: 1rem; margin: 1.6rem 0 0.4rem; }
p, ul { margin: 0.6rem 0; }
li { margin: 0.3rem 0; }
.table { overflow-x: auto; }
table { border-collapse: collapse; margin: 0.8rem 0; font-size: 0.92rem; font-variant-numeric: tabular-nums; }
th, td { padding: 4px 12px 4px 0; text-align: left; border-bottom: 1px solid var(--line); vertical-align: top; }
th { color: var(--faint); font-weight: 600; white-space: nowrap; }
td.number { text-align: right; white-space: nowrap; }
code, pre { font: 0.88em/1.5 ui-monospace, 'SF Mono', Menlo, Consolas, monospace; background: var(--shade); border-radius: 3px; }
code { padding: 1px 4px; overflow-wrap: anywhere; }
pre { padding: 10px 12px; overflow-x: auto; }
pre code { padding: 0; }
.figure { border-bottom: 1px dotted var(--faint); cursor: help; }
figure { margin: 1.2rem 0; }
figure svg { max-width: 100%; height: auto; }
figcaption { color: var(--faint); font-size: 0.88rem; }
@media print {
  body { font-size: 11pt; }
  main { max-width: none; padding: 0; }
  h2 { break-after: avoid; }
  figure, tr { break-inside: avoid; }
  .figure { border-bottom: 0; }
}
`
