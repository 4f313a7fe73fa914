/** The codes that members were sent: voice calls and e-mails of the second factor, tokens of channels. */

import { type Html, html } from "../../markup/html.ts";
import { codeLifetimeMs } from "../checks/second-factor.ts";
import { linkTokenLifetimeMs } from "../handlers/kakao-channels.ts";
import type { SecondFactorRow } from "../store/callers.ts";
import { codeOf, tokenOf } from "../store/ids.ts";
import type { TokenRow } from "../store/kakao.ts";
import { formOf, phoneShown, plain, timeShown } from "./elements.ts";
import type { Label } from "./language.ts";
import { addressOf, type Page, type View } from "./page.ts";

const kinds = {
  ARS: "Voice call",
  OTP: "E-mail",
  LINK: "Kakao channel link",
} as const satisfies Readonly<Record<string, Label>>;

const states = {
  open: "Open",
  used: "Used",
  locked: "Locked",
  superseded: "Replaced by a newer one",
  expired: "Expired",
} as const satisfies Readonly<Record<string, Label>>;

/** Shown by the script of the pages, where the browser lets a page copy. */
const copyButton = (code: string, title: string, done: string): Html =>
  html`<button class="second copy" type="button" hidden data-copy="${code}" data-done="${done}">${title}</button> `;

/** A code, wherever it comes from. */
interface Shown {
  readonly id: string;
  readonly kind: keyof typeof kinds;
  readonly code: string;
  readonly destination: string;
  readonly about: string;
  readonly state: keyof typeof states;
  readonly left: number | undefined;
  readonly created: number;
  readonly expires: number;
}

const rowsOfPage = 20;

const codesIn = (view: View, max: number): Shown[] => {
  const { store, now } = view;
  const seed = store.settings.get("idSeed");
  const all = [
    ...store.secondFactors.newest(max).map((row) => ofFactor(row, now, seed)),
    ...store.channels.tokens(max).map((row) => ofToken(row, now, seed)),
  ];
  return all.sort((one, other) => other.created - one.created).slice(0, max);
};

const ofFactor = (row: SecondFactorRow, now: Date, seed: number): Shown => {
  const expires = row.created + codeLifetimeMs;
  const ended = { USED: "used", LOCKED: "locked", SUPERSEDED: "superseded" } as const;
  const open = now.getTime() < expires ? "open" : "expired";
  return {
    id: `factor-${row.seq}`,
    kind: row.authType,
    code: codeOf(row.seq, seed),
    destination: row.destination,
    about: row.operation,
    state: row.status === "PENDING" ? open : ended[row.status],
    left: row.attemptsLeft,
    created: row.created,
    expires,
  };
};

const ofToken = (row: TokenRow, now: Date, seed: number): Shown => {
  const expires = row.created + linkTokenLifetimeMs;
  const open = now.getTime() <= expires ? "open" : "expired";
  return {
    id: `token-${row.seq}`,
    kind: "LINK",
    code: tokenOf(row.seq, seed),
    destination: row.phoneNumber,
    about: `@${row.searchId}`,
    state: row.used === 1 ? "used" : open,
    left: undefined,
    created: row.created,
    expires,
  };
};

const card = (it: Shown, { translate }: View): Html => html`
<li class="code ${it.state}" id="${it.id}">
<p class="head"><span class="kind">${translate(kinds[it.kind])}</span> ${phoneShown(it.destination)} ${timeShown(it.created)}</p>
<p class="digits"><output>${it.code}</output> ${it.state === "open" ? copyButton(it.code, translate("Copy"), translate("Copied")) : html``}<span class="state ${it.state === "open" ? "good" : ""}"><span class="dot" aria-hidden="true"></span>${translate(states[it.state])}</span></p>
<p class="about">${translate("For")} <code>${plain(it.about)}</code> · ${translate("Valid until")} ${timeShown(it.expires, "clock")}${
  it.left === undefined || it.state !== "open"
    ? ""
    : ` · ${translate(["# attempts left", String(it.left)])}`
}</p>
</li>`;

const show = (view: View): Html => {
  const offset = Number(/^\d{1,6}$/.exec(view.query.get("offset") ?? "")?.[0] ?? 0);
  const found = codesIn(view, offset + rowsOfPage + 1);
  const more = found.length > offset + rowsOfPage;
  const shown = found.slice(offset, offset + rowsOfPage);
  return html`<p>${view.translate("Codes sent by voice call and e-mail. Type the code when a command asks for it.")}</p>
<ul class="codes" id="codes" data-live aria-label="${view.translate("Codes that were sent")}" aria-live="polite">${shown.map((it) => card(it, view))}</ul>
<div id="codes-end" data-live>${shown.length === 0 ? html`<p class="empty">${view.translate("No code has been sent yet.")}</p>` : html``}${
    more
      ? html`<p class="pager"><a rel="next" href="${addressOf("codes", { offset: String(offset + rowsOfPage) })}">${view.translate("Older")} ›</a></p>`
      : html``
  }</div>
${factorSwitch(view)}`;
};

const factorSwitch = (view: View): Html => {
  const isOn = view.store.settings.get("secondFactor") === "required";
  const next = isOn ? "off" : "required";
  return html`<section class="panel" aria-labelledby="factor"><h2 id="factor">${view.translate("Second factor")}</h2>
<p>${view.translate(isOn ? "Protected requests, such as cards and bank accounts, ask for a code." : "No request asks for a code.")}</p>
${formOf(
  view,
  { page: "codes", action: "factor" },
  html`<button class="second" name="secondFactor" value="${next}">${view.translate(isOn ? "Turn it off" : "Turn it on")}</button>`,
)}</section>`;
};

export const codes: Page = {
  name: "codes",
  title: "Codes",
  count: (view) => {
    const open = codesIn(view, rowsOfPage).filter((it) => it.state === "open").length;
    return open === 0 ? "" : String(open);
  },
  show,
  actions: {
    factor: {
      done: "The setting was changed.",
      run: (fields, control) =>
        control("PUT", "/_sandbox/settings", { secondFactor: fields.get("secondFactor") ?? "" }),
    },
  },
};
