/** Prints nanoseconds for one text of each kind under one rule: `msg`, `byteLength` or `iconv`. */
import iconv from "iconv-lite";
import { sizeInBytes } from "../../../src/message/type.ts";

const rules: Readonly<Record<string, (text: string) => number>> = {
  msg: sizeInBytes,
  byteLength: (text) => Buffer.byteLength(text),
  iconv: (text) => iconv.encode(text, "cp949").length,
};

const texts = {
  hangul: "안녕하세요. 주문하신 상품이 오늘 도착합니다.",
  mixed: "[Shop] 홍길동님, order 12345 배송이 시작되었습니다: https://example.com/t/12345",
  long: "고객님께 알려 드립니다. Notice 2026-01-05. ".repeat(40),
};

/** Texts differ from call to call, so that nothing is remembered between them. */
const differing = 256;

/** As many calls come before the measured ones: compilers work beside the program and take their time. */
const perCall = (rule: (text: string) => number, text: string): number => {
  const some = Array.from({ length: differing }, (_, at) => Buffer.from(`${text}${at}`).toString());
  const loops = text.length > 500 ? 250 : 1_000;
  const loop = (): number => some.reduce((sum, it) => sum + rule(it), 0);
  for (let warm = 0; warm < loops; warm += 1) loop();
  const start = process.hrtime.bigint();
  for (let done = 0; done < loops; done += 1) loop();
  return Number(process.hrtime.bigint() - start) / (loops * differing);
};

const rule = rules[process.argv[2] ?? ""];
if (!rule) throw new Error("msg, byteLength or iconv");
const kinds = Object.entries(texts).map(([kind, text]) => [kind, perCall(rule, text)]);
process.stdout.write(JSON.stringify(Object.fromEntries(kinds)));
