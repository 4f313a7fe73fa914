/** The codes that members were sent: voice calls and e-mails of the second factor, tokens of channels. */
import { type Html, html } from "../../markup/html.ts";
import { codeLifetimeMs } from "../checks/second-factor.ts";
import { linkTokenLifetimeMs } from "../handlers/kakao-channels.ts";
import type { SecondFactorRow } from "../store/callers.ts";
import { codeOf, tokenOf } from "../store/ids.ts";
import type { TokenRow } from "../store/kakao.ts";
import { formOf, phoneShown, plain, timeShown } from "./elements.ts";
import { addressOf, type Page, type View } from "./page.ts";

const kinds = { ARS: "Voice call", OTP: "E-mail", LINK: "Kakao channel link" } as const;

const states = {
  open: "Open",
  used: "Used",
  locked: "Locked",
  superseded: "Replaced by a newer one",
  expired: "Expired",
} as const;

const rowsOfPage = 20;

/** The newest codes, wherever they come from. */
const codesIn = ({ store, now, idSeed }: View, max: number) => {
  const all = [
    ...store.secondFactors.newest(max).map((row) => ofFactor(row, now, idSeed)),
    ...store.channels.tokens(max).map((row) => ofToken(row, now, idSeed)),
  ];
  return all.sort((one, other) => other.created - one.created).slice(0, max);
};

const ofFactor = (row: SecondFactorRow, now: Date, seed: number) => {
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
  } as const;
};

const ofToken = (row: TokenRow, now: Date, seed: number) => {
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
  } as const;
};

const card = (it: ReturnType<typeof codesIn>[number], { translate }: View): Html => {
  const isOpen = it.state === "open";
  // Shown by the script of the pages, where the browser lets a page copy.
  const copy = html`<button class="second copy" type="button" hidden data-copy="${it.code}" data-done="${translate("Copied")}">${translate("Copy")}</button> `;
  const left = isOpen && it.left !== undefined;
  return html`
<li class="code ${it.state}" id="${it.id}">
<p class="head"><span class="kind">${translate(kinds[it.kind])}</span> ${phoneShown(it.destination)} ${timeShown(it.created)}</p>
<p class="digits"><output>${it.code}</output> ${isOpen ? copy : ""}<span class="state ${isOpen ? "good" : ""}"><span class="dot" aria-hidden="true"></span>${translate(states[it.state])}</span></p>
<p class="about">${translate("For")} <code>${plain(it.about)}</code> · ${translate("Valid until")} ${timeShown(it.expires, "clock")}${left ? ` · ${translate(["# attempts left", String(it.left)])}` : ""}</p>
</li>`;
};

const show = (view: View): Html => {
  const { translate } = view;
  const offset = Number(/^\d{1,6}$/.exec(view.query.get("offset") ?? "")?.[0] ?? 0);
  const end = offset + rowsOfPage;
  const found = codesIn(view, end + 1);
  const shown = found.slice(offset, end);
  const older = html`<p class="pager"><a rel="next" href="${addressOf("codes", { offset: String(end) })}">${translate("Older")} ›</a></p>`;
  return html`<p>${translate("Codes sent by voice call and e-mail. Type the code when a command asks for it.")}</p>
<ul class="codes" id="codes" data-live aria-label="${translate("Codes that were sent")}" aria-live="polite">${shown.map((it) => card(it, view))}</ul>
<div id="codes-end" data-live>${shown.length === 0 ? html`<p class="empty">${translate("No code has been sent yet.")}</p>` : ""}${found.length > end ? older : ""}</div>
${factorSwitch(view)}`;
};

const factorSwitch = (view: View): Html => {
  const { translate } = view;
  const isOn = view.store.settings.get("secondFactor") === "required";
  const next = isOn ? "off" : "required";
  const button = html`<button class="second" name="secondFactor" value="${next}">${translate(isOn ? "Turn it off" : "Turn it on")}</button>`;
  return html`<section class="panel" aria-labelledby="factor"><h2 id="factor">${translate("Second factor")}</h2>
<p>${translate(isOn ? "Protected requests, such as cards and bank accounts, ask for a code." : "No request asks for a code.")}</p>
${formOf(view, "factor", button)}</section>`;
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
