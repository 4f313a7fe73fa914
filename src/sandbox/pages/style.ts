/** How the pages look, as text: light and dark by the system, narrow to wide, no picture loaded. */
import { panelStyle } from "./style-panels.ts";
import { phoneStyle } from "./style-phone.ts";

export const style = `:root {
  color-scheme: light dark;
  --ground: #f4f4f1;
  --surface: #ffffff;
  --sunk: #ecece8;
  --ink: #1d1f21;
  --quiet: #5c6066;
  --line: #dcdcd6;
  --accent: #17494d;
  --accent-ink: #ffffff;
  --link: #0b5a63;
  --good: #17663a;
  --good-ground: #e2f2e7;
  --bad: #a3241c;
  --bad-ground: #fbe7e4;
  --wait: #7a5200;
  --wait-ground: #fbf0d6;
  --focus: #1a6fd6;
  --radius: 12px;
  --mono: ui-monospace, "SF Mono", Menlo, Consolas, "D2Coding", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #141617;
    --surface: #1d2022;
    --sunk: #26292c;
    --ink: #eceded;
    --quiet: #a4a9ae;
    --line: #34383b;
    --accent: #8fd0cf;
    --accent-ink: #0d2426;
    --link: #8fd0cf;
    --good: #82d6a1;
    --good-ground: #17301f;
    --bad: #ff9d92;
    --bad-ground: #3b1c19;
    --wait: #efc46a;
    --wait-ground: #33270c;
    --focus: #7fb6ff;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0; background: var(--ground); color: var(--ink);
  font: 1rem/1.55 system-ui, -apple-system, "Apple SD Gothic Neo", "Malgun Gothic", "Noto Sans KR", sans-serif;
  word-break: keep-all; overflow-wrap: break-word;
}
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 1.25rem; letter-spacing: -.01em; }
h2 { font-size: 1.05rem; line-height: 1.3; margin: 0 0 .75rem; }
p { margin: 0 0 .75rem; }
a { color: var(--link); text-underline-offset: .15em; }
bdi { unicode-bidi: isolate; }
time { font-variant-numeric: tabular-nums; white-space: nowrap; }
code { font: .9em/1.5 var(--mono); }
img { max-width: 100%; height: auto; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; border-radius: 4px; }
main:focus { outline: none; }
.skip {
  position: absolute; left: 1rem; top: -4rem; z-index: 2; padding: .6rem 1rem; background: var(--accent);
  color: var(--accent-ink); border-radius: 0 0 8px 8px;
}
.skip:focus { top: 0; }
.hidden-words {
  position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap;
}

.bar {
  display: flex; flex-wrap: wrap; align-items: center; gap: .25rem 1.25rem; padding: .75rem max(1.25rem, (100% - 81.5rem) / 2);
  background: var(--surface); border-bottom: 1px solid var(--line);
}
.bar p { margin: 0; }
.brand { font-weight: 700; letter-spacing: -.01em; }
.brand a { color: inherit; text-decoration: none; }
.real { color: var(--quiet); font-size: .875rem; flex: 1 1 12rem; }
.line { font-size: .8125rem; color: var(--quiet); display: flex; align-items: center; gap: .4rem; }
.line[data-state]::before { content: ""; width: .55rem; height: .55rem; border-radius: 50%; background: var(--good); }
.line[data-state="off"] { color: var(--bad); }
.line[data-state="off"]::before { background: var(--bad); }
@media (max-width: 40rem) {
  .real { order: 1; flex-basis: 100%; }
  .line { margin-left: auto; }
}
.languages { display: flex; gap: .75rem; font-size: .875rem; }
.languages [aria-current] { font-weight: 600; }

.frame { max-width: 84rem; margin: 0 auto; padding: 0 1.25rem 3rem; }
.pages ul { list-style: none; margin: 0; padding: .75rem 0; display: flex; gap: .25rem; overflow-x: auto; }
.pages a {
  display: flex; align-items: center; justify-content: space-between; gap: .6rem; padding: .45rem .75rem;
  border-radius: 8px; color: inherit; text-decoration: none; white-space: nowrap;
}
.pages a:hover { background: var(--sunk); }
.pages a:focus-visible { outline-offset: -3px; }
.pages [aria-current] { background: var(--accent); color: var(--accent-ink); font-weight: 600; }
.pages [aria-current]:hover { background: var(--accent); }
.count { font-size: .8125rem; font-variant-numeric: tabular-nums; color: var(--quiet); }
.pages [aria-current] .count { color: inherit; }
.count:empty { display: none; }
main { padding-top: 1rem; min-width: 0; }
@media (min-width: 60rem) {
  .frame { display: grid; grid-template-columns: 13rem minmax(0, 1fr); gap: 2rem; padding-top: 1.25rem; }
  .pages ul { flex-direction: column; padding: 0; position: sticky; top: 1.25rem; }
  main { padding-top: .25rem; }
}

button, input, select, textarea { font: inherit; color: inherit; }
input, select, textarea {
  background: var(--surface); border: 1px solid var(--quiet); border-radius: 8px; padding: .45rem .6rem; min-width: 0;
  width: 100%;
}
::placeholder { color: var(--quiet); opacity: 1; }
input[type="checkbox"], input[type="radio"] { width: auto; }
label, legend { font-size: .875rem; color: var(--quiet); }
button {
  background: var(--accent); color: var(--accent-ink); border: 1px solid transparent; border-radius: 8px;
  padding: .45rem .9rem; font-weight: 600; cursor: pointer; white-space: nowrap;
}
button:hover { filter: brightness(1.12); }
button.second { background: transparent; color: inherit; border-color: var(--quiet); }
button.danger { background: var(--bad); color: var(--surface); }
.row { display: flex; gap: .5rem; align-items: center; }
.fields { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 10rem), 1fr)); gap: .75rem; align-items: end; }
.panel {
  background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius); padding: 1.25rem;
  margin-bottom: 1.25rem;
}
.notice { padding: .7rem 1rem; border-radius: 8px; }
.notice.done { background: var(--good-ground); color: var(--good); }
.notice.bad { background: var(--bad-ground); color: var(--bad); }
.empty { color: var(--quiet); padding: 1rem 0; margin: 0; }
.typed { display: block; padding: .75rem 1rem; background: var(--sunk); border-radius: 8px; white-space: pre-wrap; }
.kind {
  display: inline-block; font-size: .75rem; line-height: 1.5; padding: 0 .45rem; border-radius: 99px;
  background: var(--sunk); color: var(--quiet); white-space: nowrap;
}
.state { color: var(--quiet); }
.state.good { color: var(--good); }
.state.bad { color: var(--bad); }
.state.wait { color: var(--wait); }
.dot {
  display: inline-block; width: .5em; height: .5em; border-radius: 50%; background: currentColor; margin-right: .3em;
  vertical-align: .1em;
}
.codes { list-style: none; margin: 0 0 1.25rem; padding: 0; display: grid; gap: .75rem; }
.code { background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius); padding: .9rem 1.1rem; }
.code p { margin: 0; }
.code .head { display: flex; flex-wrap: wrap; gap: .25rem .6rem; align-items: baseline; font-size: .9375rem; }
.code .head time { color: var(--quiet); font-size: .8125rem; margin-left: auto; }
.digits { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 1rem; padding: .15rem 0; }
.digits output { font: 600 1.75rem/1.3 var(--mono); letter-spacing: .08em; }
.code:not(.open) .digits output { color: var(--quiet); text-decoration: line-through; font-weight: 400; }
.about { color: var(--quiet); font-size: .875rem; }
.pager { display: flex; justify-content: center; gap: 1.5rem; margin: 1rem 0; }
.quiet { color: var(--quiet); }
.numeric { font-variant-numeric: tabular-nums; text-align: right; }

.any { overflow-wrap: anywhere; }
.any, .why { display: inline-block; min-width: 11rem; }
.clamp { overflow-wrap: anywhere; min-width: 10rem; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; overflow: hidden; white-space: pre-line; }
.small { font-size: .8125rem; }
details.more { margin-top: .75rem; }
details.more > summary { width: fit-content; cursor: pointer; color: var(--link); font-size: .875rem; }
details.more[open] > summary { margin-bottom: .75rem; }
.fields > .all { grid-column: 1 / -1; }
.check { display: flex; align-items: center; gap: .5rem; min-height: 2.6rem; }
.wide { overflow-x: auto; position: relative; container-type: inline-size; }
table { border-collapse: collapse; width: 100%; font-size: .9375rem; }
caption { text-align: left; color: var(--quiet); font-size: .875rem; padding-bottom: .5rem; }
th { text-align: left; font-size: .8125rem; font-weight: 600; color: var(--quiet); }
th, td { padding: .55rem .75rem; border-bottom: 1px solid var(--line); vertical-align: top; }
td > a, td > bdi { white-space: nowrap; }
td:first-child, th:first-child { padding-left: 0; }
td:last-child, th:last-child { padding-right: 0; }
@container (max-width: 54rem) {
  .any, .why, .clamp { min-width: 0; }
  table.stack thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  table.stack, table.stack tbody { display: block; }
  table.stack tr { display: block; padding: .75rem 0; border-bottom: 1px solid var(--line); }
  table.stack td { display: block; position: relative; padding: .15rem 0 .15rem 6.5rem; border: 0; text-align: left; }
  table.stack td::before {
    content: attr(data-label); position: absolute; left: 0; top: .3rem; width: 6rem; color: var(--quiet); font-size: .8125rem;
  }
  table.stack td.none { display: none; }
}
@media (prefers-reduced-motion: no-preference) {
  .message { animation: arrive .25s ease-out; }
  @keyframes arrive { from { opacity: 0; transform: translateY(.4rem); } }
}
@media (forced-colors: active) {
  .dot { forced-color-adjust: none; }
}
${phoneStyle}${panelStyle}`;
