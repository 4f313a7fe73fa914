/** How phones and what they received look, as text. */

export const phoneStyle = `
.phones { display: grid; gap: 1.5rem; --screen: #ffffff; --bubble: #e9e9eb; --bubble-ink: #111214;
  --kakao-ground: #b9cddd; --kakao-card: #ffffff; --kakao-ink: #191919; --kakao-yellow: #fee500;
  --kakao-button: #f0f0f0; --case: #23262a; }
@media (prefers-color-scheme: dark) {
  .phones { --screen: #0c0d0e; --bubble: #2b2d30; --bubble-ink: #f2f2f3; --kakao-ground: #2f3b45;
    --kakao-card: #23272b; --kakao-ink: #f1f1f1; --kakao-button: #32373c; --case: #3a3e43; }
}
.find { margin-bottom: .75rem; }
.threads { list-style: none; margin: 0; padding: 0; }
.thread {
  display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0 .75rem; padding: .6rem .75rem; border-radius: 10px;
  color: inherit; text-decoration: none; border: 1px solid transparent;
}
.thread:hover { background: var(--sunk); }
.thread[aria-current] { background: var(--surface); border-color: var(--line); }
.thread .who { font-weight: 600; font-variant-numeric: tabular-nums; }
.thread time { color: var(--quiet); font-size: .8125rem; }
.thread .last {
  grid-column: 1 / -1; color: var(--quiet); font-size: .875rem; overflow: hidden; white-space: nowrap;
  text-overflow: ellipsis;
}
.back { margin-bottom: .75rem; }
.case {
  background: var(--case); border-radius: 40px; padding: .7rem; max-width: 27rem; margin: 0 auto;
  box-shadow: 0 18px 40px rgb(0 0 0 / .18);
}
.top {
  background: var(--screen); border-radius: 30px 30px 0 0; padding: .7rem 1rem .6rem; text-align: center;
  border-bottom: 1px solid var(--line);
}
.top h2 { margin: 0; font-size: 1rem; font-variant-numeric: tabular-nums; }
.ear { display: block; width: 4.5rem; height: .45rem; border-radius: 99px; background: var(--case); margin: 0 auto .5rem; }
.screen {
  background: var(--screen); border-radius: 0 0 30px 30px; padding: 1rem .9rem 1.25rem; height: min(38rem, 75vh);
  overflow-y: auto; overscroll-behavior: contain; position: relative;
}
.screen:focus-visible { outline-offset: -3px; border-radius: 0 0 30px 30px; }
.day { text-align: center; font-size: .75rem; color: var(--quiet); margin: .75rem 0; font-variant-numeric: tabular-nums; }
.message { margin: 0 0 1.1rem; max-width: 92%; }
.message p { margin: 0; }
.message .sender { font-size: .8125rem; color: var(--quiet); margin-bottom: .25rem; }
.message .label { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.bubble {
  display: inline-block; max-width: 100%; background: var(--bubble); color: var(--bubble-ink); padding: .55rem .8rem;
  border-radius: 18px 18px 18px 5px;
}
.message .text { white-space: pre-wrap; overflow-wrap: anywhere; }
.subject { font-weight: 700; padding-bottom: .25rem; }
.picture { display: block; border-radius: 12px; background: var(--sunk); }
.missing { font-size: .8125rem; font-style: italic; opacity: .8; }
.bubble > .picture { margin: .1rem 0 .5rem; }
.caption { font-size: .75rem; color: var(--quiet); margin-top: .25rem !important; }
.message.bad .bubble { background: transparent; border: 1px dashed var(--bad); color: var(--quiet); }
.message.wait .bubble { opacity: .65; }
.kakao .bubble { background: var(--kakao-ground); color: var(--kakao-ink); padding: .6rem .7rem .7rem; border-radius: 16px; width: 100%; }
.kakao .channel { font-size: .8125rem; font-weight: 600; margin-bottom: .35rem; }
.card { background: var(--kakao-card); color: var(--kakao-ink); border-radius: 12px; overflow: hidden; }
.card .arrived { background: var(--kakao-yellow); color: #191600; font-size: .8125rem; font-weight: 700; padding: .4rem .8rem; }
.card .picture { border-radius: 0; width: 100%; }
.card .advertising { padding: .6rem .8rem 0; font-size: .8125rem; font-weight: 600; }
.card .emphasis { font-size: 1.15rem; line-height: 1.35; font-weight: 700; padding: .7rem .8rem .6rem; margin: 0 0 .1rem; border-bottom: 1px solid var(--line); }
.card .text { padding: .7rem .8rem; }
.buttons { list-style: none; margin: 0; padding: 0 .6rem .6rem; display: grid; gap: .4rem; }
.buttons .face { display: block; background: var(--kakao-button); border-radius: 6px; padding: .45rem .6rem; text-align: center; font-weight: 600; font-size: .9375rem; }
.buttons .opens { display: block; font-size: .75rem; color: var(--quiet); padding: .15rem .3rem 0; text-align: center; }
@media (max-width: 47.99rem) {
  .phones.chosen .list { display: none; }
  .phones:not(.chosen) .phone { display: none; }
}
@media (min-width: 48rem) {
  .phones { grid-template-columns: minmax(13rem, 20rem) minmax(0, 1fr); }
  .phones .back { display: none; }
}
`;
