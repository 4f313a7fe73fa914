/** Every sentence that a person reads has its Korean, and every Korean sentence is one that is read. */
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { isRecord, parseJson } from "../../src/json/read-json.ts";
import { templateKey } from "../../src/locale/locale.ts";
import {
  filesIn,
  isNode,
  lineAt,
  type Node,
  nameOf,
  nodeAt,
  root,
  type Source,
  sourceOf,
  sourcesIn,
  walk,
} from "./sources.ts";

/** What does not speak Korean: the emulated service, as the real one; texts that only a program reads. */
const silent: readonly string[] = ["src/sandbox/", "src/mcp/", "src/locale/"];

/** What looks like a sentence and is none, by folder of src: words of a command, of a protocol. */
const plainTexts: Readonly<Record<string, readonly string[]>> = {
  app: [],
  // A command, a status line, what OpenAPI and programs read, a fault of msg itself.
  cli: [
    "auth can",
    "HTTP {0}\n{1}\n",
    "Messaging service",
    "Call an endpoint that is not declared",
    "not known",
    "a tool without a run of its own",
  ],
  // Log lines of --debug, and what a proxy or a token is called in a header.
  client: [
    "dry run",
    "* the access token was renewed",
    "> authorization: bearer <redacted>",
    "> authorization: HMAC-SHA256 apiKey=****{0}, date={1}, salt=<32>, signature=<redacted>",
    "bearer {0}",
    "Basic {0}",
    "* {0}; attempt {1} in {2} ms",
    "answer {0}",
    "no answer",
    "{0} ms",
    "< no answer: {0}, after {1}",
    "< {0} after {1}",
    "<{0} chars>",
    "<{0} bytes>",
    "<{0} bytes, not shown>",
  ],
  commands: ["auth can", "group add", "Send again", "send --once {0}"],
  // A folder of macOS, values to copy, and where a setting comes from as records name it.
  config: [
    "Library/Application Support/msg",
    "Asia/Seoul, KST, UTC, Europe/Berlin …",
    "true, false",
    "profile {0}",
    "built in",
  ],
  contract: ["read and write"],
  durable: [],
  json: [],
  message: [
    "at the carrier",
    "refused at registration",
    "refused by the platform",
    "refused by the carrier",
  ],
  output: ['<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'],
  payments: [],
  prompt: [],
  // What a record of a payment holds, and the service's own answers.
  reconcile: [
    "new card",
    "removed card",
    "alert switch",
    "bank account",
    "no bank account",
    "not done",
    "Successfully deleted.",
    "Successfully registered.",
  ],
  // Stored with the run: the name of its source; the field of a problem. What changed from one plan to another.
  send: [
    "what of run {0} {1}",
    "was refused",
    "did not arrive",
    "template {0}",
    "rows {0}",
    "column {0}",
    "send --once {0}",
    "listRivals {0}",
    "count {0}",
    "delete {0}",
    "held {0}",
    "send {0}",
    "refused {0}",
    "JOB_COMPLETION_INDEX={0} MSG_PARTS={1}",
  ],
  // Headers of the page that a browser comes back to.
  session: [
    "profile {0}",
    "text/plain; charset=utf-8",
    "default-src 'none'; frame-ancestors 'none'",
  ],
};

/** A string: what a catalog would call it, and where it stands. */
interface Said {
  readonly key: string;
  readonly place: string;
  readonly isTranslated: boolean;
  readonly inFunction: boolean;
  readonly isNoSentence: boolean;
}

const functions = ["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"];

const keyOf = (node: Node): string | undefined => {
  if (node.type === "Literal") return nameOf(node);
  if (node.type !== "TemplateLiteral" || !Array.isArray(node.quasis)) return undefined;
  return templateKey(
    node.quasis.filter(isNode).map((it) => {
      const { value } = it;
      return isRecord(value) && typeof value.cooked === "string" ? value.cooked : "";
    }),
  );
};

const saidIn = (source: Source): Said[] => {
  const found: Said[] = [];
  walk(source.program, (node, above) => {
    const key = keyOf(node);
    if (key === undefined || above.some((it) => it.type === "ImportDeclaration")) return;
    const parent = above.at(-1);
    found.push({
      key,
      place: `${source.path}:${lineAt(source, node.start)}`,
      isTranslated:
        parent?.type === "TaggedTemplateExpression" && nameOf(nodeAt(parent, "tag")) === "t",
      inFunction: above.some((it) => functions.includes(it.type)),
      isNoSentence: above.some(isNoSentence) || isName(parent, node),
    });
  });
  return found;
};

/** Command lines of an example, faults of msg itself, types, SQL. */
const isNoSentence = (node: Node): boolean =>
  (node.type.startsWith("TS") && !node.type.endsWith("Expression")) ||
  (node.type === "Property" && nameOf(nodeAt(node, "key")) === "examples") ||
  (node.type === "NewExpression" &&
    /^(Type|Range)?Error$/.test(nameOf(nodeAt(node, "callee")) ?? "")) ||
  (node.type === "TaggedTemplateExpression" && nameOf(nodeAt(node, "tag")) !== "t");

/** The name of a member: "run list" of the table of commands. */
const isName = (parent: Node | undefined, node: Node): boolean =>
  parent?.type === "Property" && parent.computed !== true && nodeAt(parent, "key") === node;

/** Two words, or a word beside a value. */
const looksLikeSentence = ({ key, place }: Said): boolean => {
  const text = key.replace(/\{\d+\}/g, "#");
  return (
    /[a-z]{2,}'?[,.:;]? (#|[a-z]{2,})|# [a-z]{2,}/i.test(text) &&
    !/^(\s*(msg |-)|SELECT|[A-Z-]+=|export [A-Z]|_msg|#compdef|function __|Register-|\(\( )/.test(
      text,
    ) &&
    !(plainTexts[place.split("/")[1] ?? ""] ?? []).includes(key)
  );
};

const said = sourcesIn("src").flatMap(saidIn);
const catalogs = filesIn("src/locale/ko")
  .filter((path) => path.endsWith(".json"))
  .map((path) => {
    const read = parseJson(readFileSync(join(root, path), "utf8"));
    if (!("value" in read) || !isRecord(read.value)) throw new Error(`${path} is no catalog`);
    return { name: basename(path), entries: Object.entries(read.value) };
  });
const korean = new Map(catalogs.flatMap(({ entries }) => entries));

const placeholders = (text: string): string[] =>
  [...new Set([...text.matchAll(/\{\d+\}/g)].map(([it]) => it))].sort();

test("each sentence that is said in a function has its Korean", () => {
  const missing = said.filter((it) => it.isTranslated && !korean.has(it.key));
  expect(missing.map(({ place, key }) => `${place} ${key}`)).toEqual([]);
});

test("a sentence is looked up where it is said, never when its module is loaded", () => {
  const early = said.filter((it) => it.isTranslated && !it.inFunction);
  expect(early.map(({ place }) => place)).toEqual([]);
});

test("what speaks Korean leaves no sentence out", () => {
  const left = said.filter(
    (it) =>
      !silent.some((folder) => it.place.startsWith(folder)) &&
      !it.isTranslated &&
      !it.isNoSentence &&
      looksLikeSentence(it) &&
      (it.inFunction || !korean.has(it.key)),
  );
  expect(left.map(({ place, key }) => `${place} ${key}`)).toEqual([]);
});

test("a Korean sentence has the values of the English one, and is said somewhere", () => {
  const used = new Set(said.map(({ key }) => key));
  const wrong = [...korean].filter(
    ([key, text]) =>
      !used.has(key) || String(placeholders(key)) !== String(placeholders(String(text))),
  );
  expect(wrong.map(([key]) => key)).toEqual([]);
});

test("a sentence stands in one catalog, and each catalog is read", () => {
  const keys = catalogs.flatMap(({ entries }) => entries.map(([key]) => key));
  expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
  const index = readFileSync(join(root, "src/locale/ko/catalogs.ts"), "utf8");
  expect(catalogs.filter(({ name }) => !index.includes(`"./${name}"`))).toEqual([]);
});

/** What one thing is not called, and what it is: the console's word where it has one. */
const oneWord: readonly (readonly [not: RegExp, but: string])[] = [
  [/카나리(?!\))/, "시험 발송"],
  [/이어서 (보내|실행)/, "재개"],
  [/상관 id/, "추적 id"],
  [/갱신 토큰/, "리프레시 토큰"],
  [/권한 범위|scope를|scope가/, "스코프"],
  [/회원/, "멤버"],
  [/휴대전화|전화기/, "휴대폰"],
  [/수신 번호/, "수신번호"],
  [/발신 번호/, "발신번호"],
  [/일일 한도|하루 한도/, "일일 발송량"],
  [/(?<!강조 )유형/, "종류"],
  [/장비|다이제스트|비밀 값/, "컴퓨터, 해시, 시크릿"],
  [/(?<![A-Z_])ID(?![A-Z])/, "id"],
  [/\(으\)로|을\/를|이\/가|은\/는/, "으로(로), 을(를), 이(가), 은(는)"],
  [/\bmsg [a-z][^.;,)가-힣]*\. /, "a semicolon behind a command"],
  [/(?:다|(?<!필)요)\)?; /, "a period behind a sentence"],
  [/(?:하십시오|해요|됩니까|합니까|한다|된다)(?=[ .;]|$)/, "-습니다, -하세요"],
];

test("one thing has one Korean word, and each sentence the same manner", () => {
  const texts = [...korean, ...pagesOfSandbox()].map(([key, text]) => [key, String(text)]);
  const other = [...texts, ...koreanTopics()].flatMap(([key, text = ""]) =>
    oneWord.flatMap(([not, but]) => (not.test(text) ? [`${key}: ${not} (${but})`] : [])),
  );
  expect(other).toEqual([]);
  expect(oneWord.some(([not]) => not.test("보내지 않았습니다; 다시 실행하세요"))).toBe(true);
});

const pagesOfSandbox = (): [string, unknown][] => {
  const read = parseJson(readFileSync(join(root, "src/sandbox/pages/korean.json"), "utf8"));
  return "value" in read && isRecord(read.value) ? Object.entries(read.value) : [];
};

const koreanTopics = (): string[][] =>
  filesIn("src/locale/ko/topics")
    .filter((path) => path.endsWith(".txt"))
    .map((path) => [path, readFileSync(join(root, path), "utf8")]);

test("the rule sees a sentence that is not translated, and one that is looked up too early", () => {
  const [early] = saidIn(sourceOf("a.ts", `const text = t\`\${a} rows are left\`;`));
  expect(early).toMatchObject({ key: "{0} rows are left", isTranslated: true, inFunction: false });
  const [plain] = saidIn(sourceOf("a.ts", `const a = () => \`\${rows} rows are left\`;`));
  expect(plain && looksLikeSentence(plain)).toBe(true);
});
