/** The frame of every page: head, navigation, language, and the content. */
import { type Html, html, htmlDocument } from "../../markup/html.ts";
import { balance } from "./balance.ts";
import { clock } from "./clock.ts";
import { codes } from "./codes.ts";
import { faults } from "./faults.ts";
import { feed } from "./feed.ts";
import { groups } from "./groups.ts";
import { languages } from "./language.ts";
import { addressOf, type Page, pagesPath, type View } from "./page.ts";
import { phones } from "./phones.ts";
import { requests } from "./requests.ts";
import { review } from "./review.ts";

/** In the order of the navigation: a new page is a file and a line here. */
export const pages: readonly Page[] = [
  phones,
  feed,
  codes,
  requests,
  groups,
  balance,
  review,
  faults,
  clock,
];

/** What a form did, or why it was refused. */
export interface Notice {
  readonly kind: "done" | "refused";
  readonly text: string;
}

export const layout = (view: View, notice: Notice | undefined): Html => {
  const { translate, page } = view;
  const head = html`<link rel="icon" href="${pagesPath}icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${pagesPath}style.css">
<script src="${pagesPath}script.js" defer></script>`;
  const body = html`<a class="skip" href="#content">${translate("Skip to the content")}</a>
<header class="bar">
<p class="brand"><a href="${addressOf("")}">${translate("msg sandbox")}</a></p>
<p class="real">${translate("Sandbox: nothing is really sent or charged.")} ${translate("Times are in Korea (UTC+9).")}</p>
<p class="line quiet small" id="line" role="status" data-on="${translate("Live")}" data-off="${translate("Not connected")}"></p>
<nav class="languages" aria-label="${translate("Language")}">${Object.entries(languages).map(([name, title]) => languageLink(name, title, view))}</nav>
</header>
<div class="frame">
${navigation(view)}
<main id="content" tabindex="-1">
<h1>${translate(page.title)}</h1>
${notice && noticeOf(notice, view)}
${page.show(view)}
</main>
</div>`;
  return htmlDocument(`${translate(page.title)} – ${translate("msg sandbox")}`, head, body);
};

const navigation = (
  view: View,
): Html => html`<nav class="pages" aria-label="${view.translate("Pages")}">
<ul>${pages.map(
  (it) => html`
<li><a href="${addressOf(it.name)}"${it === view.page ? html` aria-current="page"` : ""}>${view.translate(it.title)}${
    it.count &&
    html` <span class="count quiet small" id="count-${it.name}" data-live>${it.count(view)}</span>`
  }</a></li>`,
)}
</ul>
</nav>`;

const languageLink = (name: string, title: string, { language, query, page }: View): Html => {
  if (name === language) return html`<span lang="${name}" aria-current="true">${title}</span>`;
  const asked = { ...Object.fromEntries(query), lang: name, said: undefined };
  return html`<a lang="${name}" hreflang="${name}" href="${addressOf(page.name, asked)}">${title}</a>`;
};

const noticeOf = ({ kind, text }: Notice, { translate }: View): Html =>
  kind === "done"
    ? html`<p class="notice done" role="status">${text}</p>`
    : html`<p class="notice bad" role="alert"><strong>${translate("That was refused")}.</strong> <bdi>${text}</bdi></p>`;
