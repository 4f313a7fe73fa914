/** Which column of a table fills which member of a message, and which are values of variables. */

import { type MsgError, shellWord, usageError } from "../../errors.ts";
import { joinSentences, t } from "../../locale/locale.ts";

/** Members of a message that a column or a plain member of a JSON row gives as text. */
export const textMembers = [
  "to",
  "from",
  "text",
  "subject",
  "type",
  "country",
  "imageId",
  "replacementText",
] as const;
export type TextMember = (typeof textMembers)[number];

const members: ReadonlyMap<string, TextMember> = new Map(
  textMembers.map((member) => [member.toLowerCase(), member]),
);

/** The member that a column names, in upper or lower case. */
const memberOf = (column: string): TextMember | undefined => members.get(column.toLowerCase());

/** A column: its index, its name in the source, and the members and variables that it fills. */
export interface Column {
  readonly at: number;
  readonly source: string;
  readonly members: readonly TextMember[];
  /** Every column is a variable under its own name, and under the name that it is mapped to. */
  readonly variables: readonly string[];
}

export interface ColumnOptions {
  /** From member or variable to column: `{ to: "휴대폰" }`. */
  readonly map?: Readonly<Record<string, string>> | undefined;
  /** False if columns are numbered because there is no header. */
  readonly header?: boolean | undefined;
  /** What the source is called in errors. */
  readonly name: string;
  /** Called with the column that is taken as the recipient by its name. */
  readonly onRecipient?: ((column: string) => void) | undefined;
}

/** Column names that usually hold a member; suggested, never used silently. */
const usualNames: Readonly<Partial<Record<TextMember, RegExp>>> = {
  to: /휴대폰|핸드폰|휴대전화|전화|수신|받는|연락처|phone|mobile|recipient|^tel/i,
  from: /발신|보내는|sender/i,
  text: /내용|본문|메시지|문자|message|body/i,
  subject: /제목|title/i,
};

/**
 * Applies `--map` to the columns of a source. Throws a usage error if a mapped column does not exist or no column
 * gives the recipient; it suggests the column that looks right.
 */
export const mapColumns = (columns: readonly string[], options: ColumnOptions): Column[] => {
  const typed = mapOf(columns, options);
  const gives = columns.some((it) => targetsOf(it, typed).members.includes("to"));
  const recipient = gives ? undefined : findRecipient(columns, options);
  if (recipient !== undefined) options.onRecipient?.(recipient);
  const map = recipient === undefined ? typed : { ...typed, to: recipient };
  const mapped = columns.map((source, at) => ({ at, source, ...targetsOf(source, map) }));
  rejectDuplicates(mapped, options.name);
  if (!mapped.some(({ members }) => members.includes("to"))) throw noRecipient(columns, options);
  return mapped;
};

/** Whole names that mean the number of a recipient; a column is taken if it alone has one. */
const recipientNames =
  /^((휴대폰|핸드폰|휴대전화|전화|수신|연락처|받는 ?사람) ?(번호)?|(phone|mobile|tel|cell)[ _-]?(number|no)?)$/i;

/** The columns, or keys, whose names say that they hold the recipient. */
export const recipientsIn = (columns: readonly string[]): readonly string[] =>
  columns.filter((it) => recipientNames.test(it));

/** What `--map` takes, as one word of a shell. */
export const mapWord = (member: string, column: string): string => shellWord(`${member}=${column}`);

const findRecipient = (columns: readonly string[], { name }: ColumnOptions): string | undefined => {
  const [only, other] = recipientsIn(columns);
  if (only === undefined || other === undefined) return only;
  throw usageError(t`columns "${only}" and "${other}" both look like the recipient`, {
    code: "DuplicateColumn",
    where: name,
    todo: t`name the right one: --map ${mapWord("to", only)}, or --map ${mapWord("to", other)}`,
  });
};

/** What a column fills: what it is mapped to, and what it names unless another column is mapped to that. */
export const targetsOf = (source: string, map: Readonly<Record<string, string>>) => {
  const targets = Object.keys(map);
  const wanted = targets.filter((target) => map[target] === source);
  const own = memberOf(source);
  const taken = targets.some((target) => memberOf(target) === own);
  const named = own === undefined || taken ? [] : [own];
  const members = [...named, ...wanted.flatMap((target) => memberOf(target) ?? [])];
  const bare = /^#\{(.+)\}$/.exec(source)?.[1]?.trim() ?? source;
  return { members, variables: targets.includes(source) ? wanted : [bare, ...wanted] };
};

/** If two columns give the same member, it is not clear which one was meant. */
const rejectDuplicates = (columns: readonly Column[], name: string): void => {
  for (const member of textMembers) {
    const [one, other] = columns.filter(({ members }) => members.includes(member));
    if (one === undefined || other === undefined) continue;
    throw usageError(t`columns "${one.source}" and "${other.source}" both give "${member}"`, {
      code: "DuplicateColumn",
      where: name,
      todo: t`rename one of them, or name the right one: --map ${mapWord(member, other.source)}`,
    });
  }
};

const mapOf = (columns: readonly string[], options: ColumnOptions) => {
  const map = options.map ?? {};
  const absent = Object.entries(map).find(([, column]) => !columns.includes(column));
  if (absent) {
    throw usageError(t`--map ${absent.join("=")}: there is no column "${absent[1]}"`, {
      code: "MissingColumn",
      where: options.name,
      todo: t`the columns are ${columns.join(", ")}`,
    });
  }
  const bare = options.header === false && Object.keys(map).length === 0;
  return bare ? { to: columns[0] ?? "" } : map;
};

const numberLike = /^[+\d][\d\s\-().]{6,}$/;

const noRecipient = (columns: readonly string[], options: ColumnOptions): MsgError => {
  const headless = columns.some((column) => numberLike.test(column));
  return usageError(t`no column gives the recipient`, {
    code: "MissingColumn",
    where: options.name,
    todo: headless
      ? t`the first line looks like a row: use --no-csv-header`
      : suggestion(columns, options),
  });
};

const suggestion = (columns: readonly string[], { name }: ColumnOptions): string => {
  const pairs = Object.entries(usualNames).flatMap(([member, pattern]) => {
    const column = columns.find((it) => pattern.test(it));
    return column === undefined || columns.includes(member) ? [] : [`${member}=${column}`];
  });
  const value = pairs.join(",");
  if (value.startsWith("to=")) return t`did you mean --map ${shellWord(value)}?`;
  const rename = t`name it "to", or use --map to=<column>; the columns are ${columns.join(", ")}`;
  if (!/\.xlsx$/i.test(name)) return rename;
  return joinSentences([rename, t`the first row must name them, and --sheet reads another sheet`]);
};
