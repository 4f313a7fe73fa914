/** How fields, switches, figures and the chart look, as text. */

export const panelStyle = `
.hint { font-size: .8125rem; color: var(--quiet); margin: .2rem 0 0; }
.wrong { font-size: .875rem; color: var(--bad); font-weight: 600; margin: .25rem 0 0; }
[aria-invalid="true"] { border-color: var(--bad); box-shadow: 0 0 0 1px var(--bad); }
section.panel .fields { align-items: start; }
.after { margin: 1rem 0 0; }
.row > select { width: auto; flex: none; }
.row.wrap { flex-wrap: wrap; }
@supports selector(:has(a)) {
  .for-status, .for-delay { display: none; }
  form:has(option[value="status"]:checked) .for-status,
  form:has(option[value="delay"]:checked) .for-delay { display: block; }
}
.columns { display: grid; gap: 1.25rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); align-items: start; }
.columns > .panel { margin: 0; }
.beside { display: flex; flex-wrap: wrap; gap: .5rem; align-items: flex-start; }
.beside > div { flex: 1 1 12rem; min-width: 0; max-width: 26rem; }
@media (min-width: 30rem) { .beside > button { margin-top: 1.55rem; } }
.panel form + form { margin-top: 1rem; }
.clock { font-size: clamp(1.2rem, 6.5vw, 1.6rem); line-height: 1.2; font-weight: 600; margin: 0; letter-spacing: -.01em; }
h2.id { font-size: 1rem; }
.whole { white-space: nowrap; }
.pairs code, .stack code { word-break: break-all; }
@container (max-width: 54rem) { td > a.id { white-space: normal; } .stack td > * { min-width: 0; } }
h3 { font-size: 1.05rem; line-height: 1.3; margin: 0 0 .75rem; }
.columns + section { margin-top: 1.75rem; }
.large { font-size: 1.15rem; font-weight: 600; }
.pairs, .figures { margin: 0; }
.pairs div { display: flex; flex-wrap: wrap; gap: 0 1rem; padding: .2rem 0; }
.pairs dt { flex: 0 0 8rem; color: var(--quiet); font-size: .875rem; }
.pairs dd, .figures dd { margin: 0; font-variant-numeric: tabular-nums; }
.figures { display: grid; grid-template-columns: repeat(auto-fill, minmax(7.5rem, 1fr)); gap: .75rem; }
.figures div { display: flex; flex-direction: column; justify-content: space-between; }
.figures dt { color: var(--quiet); font-size: .8125rem; line-height: 1.3; }
.figures dd { font-size: 1.25rem; font-weight: 600; }
.log { margin: 0; padding: 0; list-style: none; max-height: 16rem; overflow-y: auto; font-size: .875rem; }
.log li { padding: .2rem 0; }
.log time { color: var(--quiet); margin-right: .5rem; }
form + .figures { margin-top: 1.25rem; }
.chart { margin: 0; }
.chart figcaption { margin-bottom: 1rem; display: flex; flex-wrap: wrap; gap: 0 .75rem; align-items: baseline; }
.plot { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: .5rem .75rem; padding-top: .5rem; }
.plot .y {
  display: flex; flex-direction: column; justify-content: space-between; text-align: right; margin: -.6rem 0;
  font-size: .8125rem; line-height: 1.2rem; color: var(--quiet); font-variant-numeric: tabular-nums;
}
.plot svg { width: 100%; height: clamp(10rem, 30vw, 16rem); overflow: visible; display: block; }
.plot .x {
  grid-column: 2; display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; font-size: .8125rem;
  color: var(--quiet);
}
.chart path { fill: none; stroke-width: 2; }
.chart .grid { stroke: var(--line); stroke-width: 1; }
.chart .area { fill: var(--link); fill-opacity: .1; stroke: none; }
.chart .balance { stroke: var(--link); stroke-linejoin: round; }
.chart .now { stroke: var(--link); stroke-width: 9; stroke-linecap: round; }
.chart .alert { stroke: var(--bad); stroke-dasharray: 6 4; }
.legend { margin: .75rem 0 0; color: var(--quiet); }
.legend .key { width: 1.5rem; height: 2px; vertical-align: .25em; overflow: visible; }
.plot .x time:last-child { margin-left: auto; }
.plot .x time:only-child { margin-left: 0; }
@media (max-width: 45rem) { .plot .x time:nth-child(2):not(:last-child) { display: none; } }
h4 { font-size: .875rem; margin: .75rem 0 .25rem; color: var(--quiet); }
.cases { list-style: none; margin: 0; padding: 0; }
.cases + div { margin-bottom: 1.5rem; }
.waiting { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)); gap: 1.25rem 2rem; align-items: start; }
.waiting .phones { display: block; max-width: 22rem; }
.waiting .message { max-width: none; margin: 0; }
.waiting textarea { display: block; margin-top: .25rem; resize: vertical; }
.waiting h3 { margin-bottom: .5rem; }
.waiting .pairs { margin-bottom: .75rem; }
.said { list-style: none; margin: 0 0 .75rem; padding: 0 0 0 .75rem; border-left: 3px solid var(--line); }
.said li { padding: .15rem 0; white-space: pre-line; }
.switches { list-style: none; margin: 0; padding: 0; }
.switches li + li { border-top: 1px solid var(--line); }
button.switch {
  display: grid; grid-template-columns: auto minmax(0, 1fr); align-items: center; gap: .15rem .9rem; width: 100%; padding: .7rem .25rem;
  background: transparent; color: var(--ink); border: 0; border-radius: 0; text-align: left; font-weight: 500;
  white-space: normal;
}
button.switch:hover { background: var(--sunk); filter: none; }
button.switch > :not(.track, .track + span) { grid-column: 2; }
button.switch code { color: var(--quiet); font-weight: 400; }
@media (min-width: 40rem) {
  button.switch { grid-template-columns: auto minmax(0, 1fr) auto 2rem; }
  button.switch > :not(.track, .track + span) { grid-column: auto; }
  .fields .broad { grid-column: span 2; }
}
.track {
  flex: none; width: 2.6rem; height: 1.5rem; border-radius: 99px; background: var(--quiet); position: relative;
}
.track::after {
  content: ""; position: absolute; top: .2rem; left: .2rem; width: 1.1rem; height: 1.1rem; border-radius: 50%;
  background: var(--surface);
}
[aria-checked="true"] .track { background: var(--good); }
[aria-checked="true"] .track::after { left: 1.3rem; }
`;
