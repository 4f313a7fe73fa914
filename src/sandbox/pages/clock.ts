/** The clock, and how the sandbox behaves: time moved by a button, settings changed by a form. */
import { clockBounds, clockYears } from "../../contract/bounded.ts";
import { seoulOffsetMs } from "../../contract/seoul.ts";
import { accountForm, changeAccount } from "./account-form.ts";
import { formOf, timeShown } from "./elements.ts";
import { choiceField, durationField, textField } from "./fields.ts";
import { type FormReader, formReader, hasErrors } from "./form-reader.ts";
import { type Html, html } from "./html.ts";
import type { Action, Label, Page, View } from "./page.ts";

const texts = {
  outOfYears: {
    ko: `${clockYears.first}년부터 ${clockYears.last}년까지의 시각만 쓸 수 있습니다.`,
    en: `The clock must stay ${clockBounds}.`,
  },
  title: { ko: "시계와 설정", en: "Clock and settings" },
  time: { ko: "서비스 시각", en: "Business time" },
  timeFor: {
    ko: "예약, 인증번호 만료, 하루 한도, 보관 기간이 이 시각을 따릅니다. 한국 시각입니다.",
    en: "Schedules, codes, daily quotas and retention go by it. Shown in Korean time (UTC+9).",
  },
  // The length of time stands in the place of #.
  ahead: { ko: "실제 시각보다 # 빠름", en: "# ahead of real time" },
  behind: { ko: "실제 시각보다 # 느림", en: "# behind real time" },
  real: { ko: "실제 시각과 같음", en: "the same as real time" },
  signing: { ko: "서명 시각", en: "Signing time" },
  signingFor: {
    ko: "서명한 시각과 15분 넘게 차이 나면 요청이 거절됩니다.",
    en: "A request that is signed more than 15 minutes away from it is refused.",
  },
  move: { ko: "시각 옮기기", en: "Move the time" },
  minute: { ko: "+1분", en: "+1 minute" },
  hour: { ko: "+1시간", en: "+1 hour" },
  day: { ko: "+1일", en: "+1 day" },
  by: { ko: "직접 입력", en: "By" },
  byHint: { ko: "빼기 부호를 붙이면 되돌립니다.", en: "A minus sign moves it back." },
  advance: { ko: "옮기기", en: "Move" },
  to: { ko: "날짜와 시각 (한국)", en: "Date and time (UTC+9)" },
  anyNumber: {
    ko: "5 또는 -5와 같은 수를 입력하세요.",
    en: "Please write a number such as 5 or -5.",
  },
  set: { ko: "맞추기", en: "Set" },
  reset: { ko: "실제 시각으로", en: "Back to real time" },
  skewBy: { ko: "서명 시각 차이", en: "Signing time ahead by" },
  skew: { ko: "적용", en: "Apply" },
  noSkew: { ko: "차이 없애기", en: "No difference" },
  behaviour: { ko: "동작", en: "Behaviour" },
  tick: { ko: "전달 한 단계에 걸리는 시간", en: "Time of each delivery step" },
  rate: { ko: "키 하나의 초당 요청 한도", en: "Requests a second of one key" },
  rateHint: { ko: "0이면 제한이 없습니다.", en: "0 for no limit." },
  factor: { ko: "2차 인증", en: "Second factor" },
  required: { ko: "필요", en: "Required" },
  off: { ko: "끔", en: "Off" },
  save: { ko: "저장", en: "Save" },
  moved: { ko: "시각을 옮겼습니다.", en: "The time was moved." },
  skewed: { ko: "서명 시각을 바꿨습니다.", en: "Signing time was changed." },
  saved: { ko: "설정을 저장했습니다.", en: "The settings were saved." },
} as const satisfies Readonly<Record<string, Label>>;

const path = "/_sandbox/clock";

const show = (view: View): Html => html`<div class="columns">
<section class="panel" aria-labelledby="business"><h2 id="business">${view.translate(texts.time)}</h2>
<p class="quiet small">${view.translate(texts.timeFor)}</p>
<div id="clock-now" data-live>${businessNow(view)}</div>
${moves(view)}</section>
<section class="panel" aria-labelledby="signing"><h2 id="signing">${view.translate(texts.signing)}</h2>
<p class="quiet small">${view.translate(texts.signingFor)}</p>
<div id="signing-now" data-live>${signingNow(view)}</div>
${skews(view)}</section>
${behaviour(view)}
${accountForm(view)}
</div>`;

const businessNow = (view: View): Html =>
  clockFace(view, view.now, view.store.settings.get("clockOffsetMs"));

const signingNow = (view: View): Html => {
  const { settings } = view.store;
  const skewMs = settings.get("signingSkewMs");
  const realMs = view.now.getTime() - settings.get("clockOffsetMs");
  return clockFace(view, new Date(realMs + skewMs), skewMs);
};

/** The script of the pages lets it run on. */
const clockFace = (view: View, at: Date, offsetMs: number): Html =>
  html`<p class="clock" data-clock>${timeShown(at)}</p><p class="quiet small">${offsetShown(offsetMs, view)}</p>`;

const units = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1000],
] as const;

const unitShown = {
  d: { ko: "일", en: " d" },
  h: { ko: "시간", en: " h" },
  m: { ko: "분", en: " min" },
  s: { ko: "초", en: " s" },
} as const satisfies Readonly<Record<string, Label>>;

const offsetShown = (offsetMs: number, { translate }: View): string => {
  let rest = Math.round(Math.abs(offsetMs) / 1000) * 1000;
  if (rest === 0) return translate(texts.real);
  const parts: string[] = [];
  for (const [unit, ms] of units) {
    const count = Math.floor(rest / ms);
    if (count > 0) parts.push(`${count}${translate(unitShown[unit])}`);
    rest -= count * ms;
  }
  return translate(offsetMs > 0 ? texts.ahead : texts.behind).replace("#", parts.join(" "));
};

const moves = (view: View): Html => {
  const { translate } = view;
  const steps = (["minute", "hour", "day"] as const).map(
    (it) => html`<button name="step" value="${it}">${translate(texts[it])}</button>`,
  );
  const now = new Date(view.now.getTime() + seoulOffsetMs).toISOString().slice(0, 19);
  return html`${formOf(view, { page: "clock", action: "step" }, html`<div class="row wrap" role="group" aria-label="${translate(texts.move)}">${steps}</div>`)}
${formOf(
  view,
  { page: "clock", action: "advance" },
  html`<div class="beside">${durationField({ action: "advance", name: "by", label: texts.by, hint: texts.byHint }, ["m", "h", "d", "s"], view)}
<button class="second">${translate(texts.advance)}</button></div>`,
)}
${formOf(
  view,
  { page: "clock", action: "set" },
  html`<div class="beside">${textField({ action: "set", name: "to", label: texts.to, value: now, kind: "datetime-local" }, view)}
<button class="second">${translate(texts.set)}</button></div>`,
)}
${formOf(view, { page: "clock", action: "reset" }, html`<button class="second">${translate(texts.reset)}</button>`)}`;
};

const skews = (view: View): Html => html`${formOf(
  view,
  { page: "clock", action: "skew" },
  html`<div class="beside">${durationField({ action: "skew", name: "skew", label: texts.skewBy, hint: texts.byHint }, ["m", "h", "d", "s"], view)}
<button class="second">${view.translate(texts.skew)}</button></div>`,
)}
${formOf(view, { page: "clock", action: "noSkew" }, html`<button class="second">${view.translate(texts.noSkew)}</button>`)}`;

const behaviour = (view: View): Html => {
  const action = "behaviour";
  const { settings } = view.store;
  const tick = String(settings.get("tickMs"));
  const rate = String(settings.get("rateLimit") ?? 0);
  const factor = settings.get("secondFactor");
  return html`<section class="panel" aria-labelledby="behaviour"><h2 id="behaviour">${view.translate(texts.behaviour)}</h2>
${formOf(
  view,
  { page: "clock", action },
  html`<div class="fields">
${durationField({ action, name: "tick", label: texts.tick, value: tick }, ["m", "s", "ms"], view)}
${textField({ action, name: "rate", label: texts.rate, value: rate, hint: texts.rateHint, input: "decimal" }, view)}
${choiceField(
  { action, name: "factor", label: texts.factor, value: factor },
  [
    ["required", texts.required],
    ["off", texts.off],
  ],
  view,
)}
</div><p class="after"><button>${view.translate(texts.save)}</button></p>`,
)}</section>`;
};

/** Ten years: further away no template, no code and no schedule means anything. */
const furthest = 10 * 365 * 86_400;
const around = { from: -furthest, until: furthest, message: texts.anyNumber };
const steps: Readonly<Record<string, string>> = { minute: "1m", hour: "1h", day: "1d" };

/** Where a move would lead, no field of its own says. */
const refused = { ValidationError: texts.outOfYears };

/** Sends one field of a form to the clock. */
const moving =
  (
    name: "advance" | "set" | "skew",
    read: (form: FormReader) => string | undefined,
  ): Action["run"] =>
  async (fields, control) => {
    const form = formReader(fields);
    const value = read(form);
    return hasErrors(form) ? form : control("PUT", path, { [name]: value });
  };

const actions: Readonly<Record<string, Action>> = {
  step: {
    done: texts.moved,
    refused,
    run: (fields, control) => control("PUT", path, { advance: steps[fields.get("step") ?? ""] }),
  },
  advance: {
    done: texts.moved,
    refused,
    run: moving("advance", (form) => form.required("by", form.duration("by", around))),
  },
  set: {
    done: texts.moved,
    refused,
    run: moving("set", (form) => form.required("to", form.text("to"))),
  },
  reset: {
    done: texts.moved,
    refused,
    run: async (_, control) => {
      const { reply } = await control("GET", path);
      return control("PUT", path, { advance: `${0 - offsetIn(reply)}ms` });
    },
  },
  skew: {
    done: texts.skewed,
    refused,
    run: moving("skew", (form) => form.required("skew", form.duration("skew", around))),
  },
  noSkew: { done: texts.skewed, run: (_, control) => control("PUT", path, { skew: "0" }) },
  behaviour: {
    done: texts.saved,
    run: async (fields, control) => {
      const form = formReader(fields);
      const body = {
        tick: form.required("tick", form.duration("tick", { from: 0, until: 86_400_000 })),
        rateLimit: form.required("rate", form.number("rate", { from: 0, until: 1_000_000 })),
        secondFactor: form.text("factor"),
      };
      return hasErrors(form) ? form : control("PUT", "/_sandbox/settings", body);
    },
  },
  account: { done: texts.saved, run: changeAccount },
};

const offsetIn = (reply: unknown): number =>
  typeof reply === "object" && reply !== null && "clockOffsetMs" in reply
    ? Number(reply.clockOffsetMs)
    : 0;

export const clock: Page = { name: "clock", title: texts.title, show, actions };
