/** Faults: common ones as switches, any other by a form, and what is switched on. */

import { contract } from "../../contract/index.ts";
import { maxDelayMs } from "../../contract/sandbox-faults.ts";
import { faultRecord } from "../controls/faults.ts";
import { formOf, numberShown, plain } from "./elements.ts";
import { choiceField, durationField, textField } from "./fields.ts";
import { formReader, hasErrors } from "./form-reader.ts";
import { type Html, html } from "./html.ts";
import type { Control, ControlReply, FieldErrors, Label, Page, View } from "./page.ts";
import { type Column, tableOf } from "./table.ts";

const texts = {
  title: { ko: "장애 주입", en: "Faults" },
  intro: {
    ko: "요청을 일부러 실패하게 합니다. 켜는 순간부터 모든 요청에 적용됩니다.",
    en: "Makes requests fail on purpose. A fault applies to every request from the moment it is on.",
  },
  switches: { ko: "자주 쓰는 장애", en: "Common faults" },
  active: { ko: "켜져 있는 장애", en: "Switched on" },
  none: { ko: "켜져 있는 장애가 없습니다.", en: "No fault is switched on." },
  add: { ko: "장애 추가", en: "Add a fault" },
  on: { ko: "켜기", en: "Switch on" },
  off: { ko: "끄기", en: "Switch off" },
  allOff: { ko: "모두 끄기", en: "Switch all off" },
  isOn: { ko: "켜짐", en: "On" },
  isOff: { ko: "꺼짐", en: "Off" },
  wasOn: { ko: "장애를 켰습니다.", en: "The fault was switched on." },
  wasOff: { ko: "장애를 껐습니다.", en: "The fault was switched off." },
  wasAllOff: { ko: "장애를 모두 껐습니다.", en: "All faults were switched off." },
  method: { ko: "메서드", en: "Method" },
  any: { ko: "모두", en: "Any" },
  path: { ko: "주소", en: "Path" },
  pathHint: {
    ko: "*는 아무 글자나 뜻합니다. 예: /messages/v4/*",
    en: "* stands for any characters, as in /messages/v4/*",
  },
  what: { ko: "일어날 일", en: "What happens" },
  status: { ko: "상태 코드", en: "Status" },
  statusHint: { ko: "400부터 599까지", en: "400 to 599" },
  delay: { ko: "늦추는 시간", en: "How late" },
  times: { ko: "횟수", en: "Times" },
  timesHint: { ko: "비워 두면 계속됩니다.", en: "Without end when left empty." },
  chance: { ko: "확률 (%)", en: "Probability (%)" },
  chanceHint: { ko: "비워 두면 항상 일어납니다.", en: "Always when left empty." },
  which: { ko: "요청", en: "Requests" },
  left: { ko: "남은 횟수", en: "Times left" },
  happened: { ko: "일어난 횟수", en: "Happened" },
  always: { ko: "항상", en: "Always" },
  endless: { ko: "제한 없음", en: "No limit" },
  wrongDelay: {
    ko: "1밀리초부터 하루까지의 시간을 입력하세요.",
    en: "Please write a time from a millisecond to a day.",
  },
  wrongPath: {
    ko: "/ 또는 *로 시작하고 빈칸이 없어야 합니다.",
    en: "It begins with / or * and has no blanks.",
  },
} as const satisfies Readonly<Record<string, Label>>;

/** What a fault does, as `msg sandbox fault add --do` names it. */
const kinds = {
  "drop-after": {
    ko: "처리한 뒤 응답 없이 연결 끊기",
    en: "Done, but the line breaks before the answer",
  },
  "drop-before": {
    ko: "처리하지 않고 연결 끊기",
    en: "Not done: the line breaks before it arrives",
  },
  truncate: { ko: "처리한 뒤 응답을 중간에 끊기", en: "Done, but the answer is cut in its middle" },
  garbage: { ko: "처리한 뒤 엉뚱한 응답 보내기", en: "Done, but the answer is some web page" },
  "rate-limit": { ko: "요청이 너무 많다고 거절 (429)", en: "Refused as too many requests (429)" },
  status: { ko: "오류 상태로 거절", en: "Refused with a status" },
  delay: { ko: "처리하고 늦게 응답하기", en: "Done, and answered late" },
} as const satisfies Readonly<Record<string, Label>>;
type Kind = keyof typeof kinds;
const isKind = (text: string): text is Kind => Object.hasOwn(kinds, text);

interface Preset {
  readonly on: string;
  readonly do: string;
  /** As the list of faults spells it. */
  readonly shown?: string;
  readonly label: Label;
}

const presets: readonly Preset[] = [
  {
    on: "POST /messages/v4/*",
    do: "drop-after",
    label: { ko: "발송은 되지만 응답이 오지 않음", en: "Messages go out, the answer gets lost" },
  },
  {
    on: "POST /messages/v4/*",
    do: "drop-before",
    label: { ko: "발송 요청이 도착하지 않음", en: "Sends never arrive" },
  },
  {
    on: "* *",
    do: "status:503",
    label: { ko: "서비스 점검 중 (503)", en: "The service is down (503)" },
  },
  {
    on: "* *",
    do: "rate-limit",
    label: { ko: "요청이 너무 많음 (429)", en: "Too many requests (429)" },
  },
  {
    on: "* *",
    do: "delay:2s",
    shown: "delay:2000ms",
    label: { ko: "모든 응답이 2초 늦음", en: "Every answer is 2 seconds late" },
  },
];

type Fault = ReturnType<typeof faultRecord>;

const show = (view: View): Html => {
  const active = view.store.faults.list().map(faultRecord);
  return html`<p>${view.translate(texts.intro)}</p>
<section class="panel" aria-labelledby="common"><h2 id="common">${view.translate(texts.switches)}</h2>
<ul class="switches" id="switches" data-live>${presets.map((it, at) => switchOf(it, `switch-${at}`, { active, view }))}</ul>
</section>
<section class="panel" aria-labelledby="active"><h2 id="active">${view.translate(texts.active)}</h2>
<div id="active-faults" data-live>${active.length === 0 ? html`<p class="empty">${view.translate(texts.none)}</p>` : table(active, view)}</div>
</section>
${addForm(view)}`;
};

interface Around {
  readonly active: readonly Fault[];
  readonly view: View;
}

/** On where a fault like it is on without an end: only such a one stays until it is switched off. */
const switchOf = (it: Preset, id: string, { active, view }: Around): Html => {
  const isLike = (fault: Fault): boolean =>
    fault.on === it.on &&
    fault.do === (it.shown ?? it.do) &&
    fault.timesLeft === null &&
    fault.probability === null;
  const found = active.find(isLike);
  return html`
<li id="${id}">${formOf(
    view,
    { page: "faults", action: found ? "off" : "on" },
    html`<input type="hidden" name="on" value="${it.on}"><input type="hidden" name="do" value="${it.do}"><input type="hidden" name="faultId" value="${found?.faultId}">
<button class="switch" role="switch" aria-checked="${found !== undefined}"><span class="track" aria-hidden="true"></span><span>${view.translate(it.label)}</span> <code>${onShown(it.on)} · ${it.do}</code> <span class="quiet small" aria-hidden="true">${view.translate(found ? texts.isOn : texts.isOff)}</span></button>`,
  )}</li>`;
};

/** Every method and path is one star, as it may be written. */
const onShown = (on: string): string => (on === "* *" ? "*" : on);

const table = (active: readonly Fault[], view: View): Html => html`${tableOf(
  {
    columns: columnsFor(view),
    rows: active,
    rowId: ({ faultId }) => `fault-${faultId}`,
  },
  view,
)}
${formOf(view, { page: "faults", action: "allOff" }, html`<p class="after"><button class="second">${view.translate(texts.allOff)}</button></p>`)}`;

const columnsFor = (view: View): readonly Column<Fault>[] => [
  { head: texts.which, cell: ({ on }) => html`<code>${plain(onShown(on))}</code>` },
  { head: texts.what, cell: (it) => effectShown(it.do, view) },
  {
    head: texts.left,
    cell: ({ timesLeft }) =>
      timesLeft === null ? view.translate(texts.endless) : numberShown(timesLeft),
  },
  {
    head: texts.chance,
    cell: ({ probability }) =>
      probability === null ? view.translate(texts.always) : `${percent(probability)} %`,
  },
  { head: texts.happened, cell: ({ happened }) => numberShown(happened) },
  { head: texts.off, cell: (it) => offButton(it, view) },
];

const effectShown = (effect: string, view: View): Html => {
  const [kind = ""] = effect.split(":");
  return html`<span><code>${effect}</code> <span class="quiet small">${isKind(kind) ? view.translate(kinds[kind]) : ""}</span></span>`;
};

const offButton = (it: Fault, view: View): Html =>
  formOf(
    view,
    { page: "faults", action: "off" },
    html`<input type="hidden" name="faultId" value="${it.faultId}"><button class="second" aria-label="${view.translate(texts.off)}: ${it.on} ${it.do}">${view.translate(texts.off)}</button>`,
  );

const percent = (probability: number): string => String(Number((probability * 100).toFixed(2)));

const action = "add";
const methods = ["GET", "POST", "PUT", "DELETE"] as const;

/** Paths of the service, with `*` for what differs from request to request. */
const paths = (): string[] => {
  const all = Object.values(contract).map((it) => it.path.replaceAll(/:[A-Za-z]+/g, "*"));
  return [...new Set(all)].sort();
};

const addForm = (
  view: View,
): Html => html`<section class="panel" aria-labelledby="add-fault"><h2 id="add-fault">${view.translate(texts.add)}</h2>
${formOf(
  view,
  { page: "faults", action },
  html`<div class="fields">
${choiceField({ action, name: "method", label: texts.method }, [["*", texts.any], ...methods.map((it) => [it, { ko: it, en: it }] as const)], view)}
${textField({ action, name: "path", label: texts.path, value: "/messages/v4/*", hint: texts.pathHint, list: "paths", only: "broad" }, view)}
${choiceField({ action, name: "kind", label: texts.what, only: "broad" }, kindOptions, view)}
${textField({ action, name: "status", label: texts.status, value: "503", hint: texts.statusHint, only: "for-status" }, view)}
${durationField({ action, name: "delay", label: texts.delay, value: "2000", only: "for-delay" }, ["m", "s", "ms"], view)}
${textField({ action, name: "times", label: texts.times, hint: texts.timesHint, input: "decimal" }, view)}
${textField({ action, name: "chance", label: texts.chance, hint: texts.chanceHint, input: "decimal" }, view)}
</div>
<datalist id="paths">${paths().map((it) => html`<option value="${it}"></option>`)}</datalist>
<p class="after"><button>${view.translate(texts.on)}</button></p>`,
)}</section>`;

const kindOptions = Object.keys(kinds)
  .filter(isKind)
  .map((it) => [it, kinds[it]] as const);

const lateness = { from: 0.001, until: maxDelayMs, maxMs: maxDelayMs, message: texts.wrongDelay };

const add = async (
  fields: URLSearchParams,
  control: Control,
): Promise<ControlReply | { errors: FieldErrors }> => {
  const form = formReader(fields);
  const path = form.required("path", form.text("path")) ?? "";
  const kind = form.text("kind") ?? "";
  const amounts: Readonly<Record<string, () => number | string | undefined>> = {
    status: () => form.required("status", form.number("status", { from: 400, until: 599 })),
    delay: () => form.required("delay", form.duration("delay", lateness)),
  };
  const amount = amounts[kind]?.();
  const times = form.number("times", { from: 1, until: 1_000_000 });
  const chance = form.number("chance", { from: 0.01, until: 100, isFraction: true });
  if (hasErrors(form)) return form;
  if (!/^(\/\S*|\*)$/.test(path)) return { errors: { path: texts.wrongPath } };
  return control("POST", "/_sandbox/faults", {
    on: `${form.text("method") ?? "*"} ${path}`,
    do: amount === undefined ? kind : `${kind}:${amount}`,
    times,
    ...(chance !== undefined && { probability: chance / 100 }),
  });
};

export const faults: Page = {
  name: "faults",
  title: texts.title,
  count: ({ store }) => {
    const count = store.faults.list().length;
    return count === 0 ? "" : String(count);
  },
  show,
  actions: {
    on: {
      done: texts.wasOn,
      run: (fields, control) =>
        control("POST", "/_sandbox/faults", { on: fields.get("on"), do: fields.get("do") }),
    },
    off: {
      done: texts.wasOff,
      run: (fields, control) =>
        control(
          "DELETE",
          `/_sandbox/faults?faultId=${encodeURIComponent(fields.get("faultId") ?? "")}`,
        ),
    },
    allOff: { done: texts.wasAllOff, run: (_, control) => control("DELETE", "/_sandbox/faults") },
    add: { done: texts.wasOn, run: add },
  },
};
