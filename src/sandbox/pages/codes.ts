/** The codes that members were sent: voice calls and e-mails of the second factor, tokens of channels. */
import { type Html, html } from "../../markup/html.ts";
import { sentCodes } from "../controls/contents.ts";
import { actionForm, formatCount, formatPhone, formatTime, isolate, numberIn } from "./elements.ts";
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

const card = (it: ReturnType<typeof sentCodes>[number], { translate }: View): Html => {
  const isOpen = it.state === "open";
  // The script of the pages shows it if the browser lets a page copy.
  const copy = html`<button class="second copy small" type="button" hidden data-copy="${it.code}" data-done="${translate("Copied")}">${translate("Copy")}</button> `;
  const left = isOpen && it.attemptsLeft !== undefined;
  return html`
<li class="code ${it.state}" id="${it.id}">
<p class="head"><span class="kind">${translate(kinds[it.kind])}</span> ${formatPhone(it.destination)} ${formatTime(it.created)}</p>
<p class="digits"><output>${it.code}</output> ${isOpen ? copy : ""}<span class="state ${isOpen ? "good" : ""}"><span class="dot" aria-hidden="true"></span>${translate(states[it.state])}</span></p>
<p class="about">${translate("For")} <code>${isolate(it.purpose)}</code> · ${translate("Valid until")} ${formatTime(it.expires, "clock")}${left ? ` · ${translate(["# attempts left", it.attemptsLeft])}` : ""}</p>
</li>`;
};

const show = (view: View): Html => {
  const { translate } = view;
  const offset = numberIn(view, "offset") ?? 0;
  const end = offset + rowsOfPage;
  const found = sentCodes(view, end + 1);
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
${actionForm(view, "factor", button)}</section>`;
};

export const codes: Page = {
  name: "codes",
  title: "Codes",
  count: (view) =>
    formatCount(sentCodes(view, rowsOfPage).filter(({ state }) => state === "open").length),
  show,
  actions: {
    factor: {
      done: "The setting was changed.",
      request: ({ text }) => [
        "PUT",
        "/_sandbox/settings",
        { secondFactor: text("secondFactor") ?? "" },
      ],
    },
  },
};
