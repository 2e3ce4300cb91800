/** The page's own style: light and dark as the reader's system is, and black on white on paper. Nothing is fetched. */
export const REPORT_STYLE = `
:root { color-scheme: light dark; --ink: #1c2024; --faint: #60646c; --page: #ffffff; --raised: #f4f5f7; --line: #d5d8dd;
  --good: #18794e; --bad: #c62a2f; --odd: #9a5b00; --bar: #3e63dd; }
@media (prefers-color-scheme: dark) { :root { --ink: #edeef0; --faint: #b0b4ba; --page: #111113; --raised: #1c1d20;
  --line: #3a3d42; --good: #3dd68c; --bad: #ff9592; --odd: #ffca16; --bar: #849dff; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 72rem; margin: 0 auto; padding: 2rem 1rem 4rem; }
h1 { font-size: 1.5rem; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 1.15rem; margin: 2.5rem 0 .75rem; border-bottom: 1px solid var(--line); padding-bottom: .25rem; }
h3 { font-size: 1rem; margin: 1.5rem 0 .5rem; overflow-wrap: anywhere; }
code, pre { font: 13px/1.45 ui-monospace, monospace; overflow-wrap: anywhere; unicode-bidi: isolate; }
pre { background: var(--raised); border: 1px solid var(--line); border-radius: 6px; padding: .75rem; white-space: pre-wrap; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem .3rem 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
th { color: var(--faint); font-weight: 600; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; margin: .5rem 0; }
dt { color: var(--faint); }
dd { margin: 0; overflow-wrap: anywhere; }
.wide { overflow-x: auto; }
.good { color: var(--good); } .bad { color: var(--bad); } .odd { color: var(--odd); } .faint { color: var(--faint); }
.state { font-weight: 600; }
.timeline { list-style: none; padding: 0; margin: 0; }
.timeline li { display: grid; grid-template-columns: 14rem 1fr 12rem; gap: .75rem; align-items: center; padding: .15rem 0; }
.timeline span { overflow-wrap: anywhere; }
.track { display: block; width: 100%; height: .9rem; }
.track .rail { fill: var(--raised); } .track .bar { fill: var(--bar); } .track .bar.bad { fill: var(--bad); } .track .bar.odd { fill: var(--odd); }
footer { margin-top: 3rem; color: var(--faint); font-size: .9rem; }
@media (max-width: 44rem) { .timeline li { grid-template-columns: 1fr; gap: .1rem; } }
@media print { :root { --ink: #000; --faint: #444; --page: #fff; --raised: #f2f2f2; --line: #bbb; --good: #060; --bad: #a00; --odd: #740; --bar: #246; }
  body { font-size: 10pt; } main { max-width: none; padding: 0; } tr, li, article { break-inside: avoid; } h2, h3 { break-after: avoid; }
  .track { print-color-adjust: exact; -webkit-print-color-adjust: exact; } .wide { overflow: visible; } }
`;
