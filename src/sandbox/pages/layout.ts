/** The frame of every page: head, navigation, language, and the content. */

import { type Html, html } from "../../markup/html.ts";
import { balance } from "./balance.ts";
import { clock } from "./clock.ts";
import { codes } from "./codes.ts";
import { faults } from "./faults.ts";
import { feed } from "./feed.ts";
import { groups } from "./groups.ts";
import { type Language, languages } from "./language.ts";
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

export interface Framed {
  readonly page: Page;
  readonly view: View;
  /** What a form did, or why it was refused. */
  readonly notice?: Notice | undefined;
}

export interface Notice {
  readonly kind: "done" | "refused";
  readonly text: string;
}

/** The whole document. */
export const layout = (framed: Framed, content: Html): Html => {
  const { page, view } = framed;
  const { translate, language } = view;
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${translate(page.title)} – ${translate("msg sandbox")}</title>
<link rel="icon" href="${pagesPath}icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${pagesPath}style.css">
<script src="${pagesPath}script.js" defer></script>
</head>
<body>
<a class="skip" href="#content">${translate("Skip to the content")}</a>
<header class="bar">
<p class="brand"><a href="/_sandbox/">${translate("msg sandbox")}</a></p>
<p class="real">${translate("Sandbox: nothing is really sent or charged.")} ${translate("Times are in Korea (UTC+9).")}</p>
<p class="line" id="line" role="status" data-on="${translate("Live")}" data-off="${translate("Not connected")}"></p>
${switchOf(view, page)}
</header>
<div class="frame">
${navigation(framed)}
<main id="content" tabindex="-1">
<h1>${translate(page.title)}</h1>
${noticeOf(framed)}
${content}
</main>
</div>
</body>
</html>
`;
};

const navigation = ({
  page,
  view,
}: Framed): Html => html`<nav class="pages" aria-label="${view.translate("Pages")}">
<ul>${pages.map(
  (it) => html`
<li><a href="${addressOf(it.name)}"${it === page ? html` aria-current="page"` : html``}>${view.translate(it.title)}${
    it.count
      ? html` <span class="count" id="count-${it.name}" data-live>${it.count(view)}</span>`
      : html``
  }</a></li>`,
)}
</ul>
</nav>`;

/** The same page in the other language. */
const switchOf = ({ translate, language, query }: View, page: Page): Html =>
  html`<nav class="languages" aria-label="${translate("Language")}">${Object.entries(languages).map(
    ([name, title]) => switchTo(name, title, { language, query, page }),
  )}</nav>`;

const switchTo = (
  name: string,
  title: string,
  { language, query, page }: { language: Language; query: URLSearchParams; page: Page },
): Html => {
  if (name === language) return html`<span lang="${name}" aria-current="true">${title}</span>`;
  const asked = { ...Object.fromEntries(query), lang: name, said: undefined };
  return html`<a lang="${name}" hreflang="${name}" href="${addressOf(page.name, asked)}">${title}</a>`;
};

const noticeOf = ({ notice, view: { translate } }: Framed): Html => {
  if (notice === undefined) return html``;
  return notice.kind === "done"
    ? html`<p class="notice done" role="status">${notice.text}</p>`
    : html`<p class="notice bad" role="alert"><strong>${translate("That was refused")}.</strong> <bdi>${notice.text}</bdi></p>`;
};
