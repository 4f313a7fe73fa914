/** A form that sends one message, for those who have no terminal at hand. */
import { type Html, html } from "../../markup/html.ts";
import { accountA } from "../fixtures/accounts.ts";
import { formOf } from "./elements.ts";
import { choiceField, textField } from "./fields.ts";
import { formReader, hasErrors } from "./form-reader.ts";
import type { Action, View } from "./page.ts";

const action = "send";

export const testMessageForm = (view: View): Html => {
  const senders = view.store.sendersAndPrices.sendersOf(accountA);
  return html`<details class="panel" id="test-message"${view.submitted?.action === action ? html` open` : html``}>
<summary>${view.translate("Send a test message")}</summary>
${formOf(
  view,
  { page: "", action },
  html`<div class="fields">
${textField({ action, name: "to", label: "To", value: "01000000001", input: "tel" }, view)}
${choiceField(
  { action, name: "from", label: "From" },
  senders.map((it) => [it]),
  view,
)}
${textField({ action, name: "text", label: "Text", value: "안녕하세요" }, view)}
</div><p class="after"><button>${view.translate("Send")}</button></p>`,
)}</details>`;
};

/** Sends it as the commands do. */
export const testMessage: Action = {
  done: "The message was sent.",
  refused: { FailedToAddMessage: "The message was refused. See the requests for the reason." },
  run: async (fields, control) => {
    const form = formReader(fields);
    const to = form.required("to", form.text("to")?.replaceAll("-", ""));
    const text = form.required("text", form.text("text"));
    if (hasErrors(form)) return form;
    if (!/^\d{8,12}$/.test(to ?? "")) return { errors: { to: "A number has 8 to 12 digits." } };
    const message = { to, from: fields.get("from") ?? "", text };
    return control("POST", "/messages/v4/send", { message });
  },
};
