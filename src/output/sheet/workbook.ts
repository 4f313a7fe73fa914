/**
 * A spreadsheet (.xlsx) that is written row by row, with charts: the library that reads and writes small
 * ones elsewhere holds every row in memory and knows no charts. Texts are texts: nothing in them is
 * calculated, whatever they begin with.
 */
import { type Html, html } from "../../markup/html.ts";
import { withoutControls } from "../text/safe.ts";
import { type Chart, chartXml, drawingXml } from "./chart.ts";
import { type ZipFile, zipOf } from "./zip.ts";

export type SheetCell = string | number | null;

export interface Sheet {
  readonly name: string;
  /** Of the columns, in characters. */
  readonly widths: readonly number[];
  /** The first is the heading. */
  readonly rows: Iterable<readonly SheetCell[]> | AsyncIterable<readonly SheetCell[]>;
  /** Beside its rows; asked for when the last of them was written. */
  readonly charts?: () => readonly Chart[];
}

/** Rows that a sheet can hold, its heading included. */
export const maxSheetRows = 1_048_576;

/** Characters that a cell can hold. */
const maxCell = 32_767;

/**
 * The bytes of a workbook. Sheets are written in the order in which they come, and shown in the reverse:
 * a summary is known when the last row was written, and stands first.
 */
export const workbook = (
  sheets: Iterable<Sheet> | AsyncIterable<Sheet>,
): AsyncGenerator<Uint8Array> => zipOf(filesOf(sheets));

async function* filesOf(sheets: Iterable<Sheet> | AsyncIterable<Sheet>): AsyncGenerator<ZipFile> {
  const names: string[] = [];
  const charted: { readonly sheet: number; readonly charts: number }[] = [];
  for await (const sheet of sheets) {
    names.push(sheet.name);
    const at = names.length;
    yield { name: `xl/worksheets/sheet${at}.xml`, text: sheetXml(sheet) };
    const charts = sheet.charts?.() ?? [];
    if (sheet.charts === undefined) continue;
    charted.push({ sheet: at, charts: charts.length });
    yield xml(
      `xl/worksheets/_rels/sheet${at}.xml.rels`,
      relations([["drawing", `../drawings/drawing${at}.xml`]]),
    );
    yield xml(`xl/drawings/drawing${at}.xml`, drawingXml(charts));
    const targets = charts.map(
      (_, index) => ["chart", `../charts/chart${at}-${index + 1}.xml`] as const,
    );
    yield xml(`xl/drawings/_rels/drawing${at}.xml.rels`, relations(targets));
    for (const [index, chart] of charts.entries())
      yield xml(`xl/charts/chart${at}-${index + 1}.xml`, chartXml(chart, sheet.name));
  }
  yield* frameOf(names, charted);
}

const xml = (name: string, content: Html): ZipFile => ({ name, text: [declaration, content.text] });
const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const packaging = "http://schemas.openxmlformats.org/package/2006";

async function* sheetXml({ widths, rows, charts }: Sheet): AsyncGenerator<string> {
  yield declaration;
  yield html`<worksheet xmlns="${main}" xmlns:r="${office}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${widths.map(
    (width, at) => html`<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`,
  )}</cols><sheetData>`.text;
  let line = 0;
  for await (const row of rows) {
    line += 1;
    yield rowXml(row, line);
  }
  yield `</sheetData>${charts ? '<drawing r:id="rId1"/>' : ""}</worksheet>`;
}

const rowXml = (row: readonly SheetCell[], line: number): string => {
  const cells = row.map((value, at) =>
    value === null ? "" : cellXml(value, `${letterOf(at)}${line}`, line),
  );
  return `<row r="${line}">${cells.join("")}</row>`;
};

const letterOf = (column: number): string => String.fromCharCode(65 + column);

const cellXml = (value: string | number, place: string, line: number): string => {
  const style = line === 1 ? ' s="1"' : "";
  if (typeof value === "number") return `<c r="${place}"${style}><v>${value}</v></c>`;
  return html`<c r="${place}"${line === 1 ? html` s="1"` : html``} t="inlineStr"><is><t xml:space="preserve">${textOf(value)}</t></is></c>`
    .text;
};

/** XML has no controls, and a spreadsheet reads `_x0041_` as a character. */
const textOf = (value: string): string =>
  withoutControls(value.slice(0, maxCell), "\n\t").replace(/_(?=x[0-9A-Fa-f]{4}_)/g, "_x005F_");

const relations = (targets: readonly (readonly [type: string, target: string])[]): Html =>
  html`<Relationships xmlns="${packaging}/relationships">${targets.map(
    ([type, target], at) =>
      html`<Relationship Id="rId${at + 1}" Type="${office}/${type}" Target="${target}"/>`,
  )}</Relationships>`;

/** What says which files are what. */
function* frameOf(
  names: readonly string[],
  charted: readonly { readonly sheet: number; readonly charts: number }[],
): Generator<ZipFile> {
  const sheets = names.map((name, at) => ({ name, number: at + 1 }));
  const files = sheets.map(({ number }) => ["worksheet", `worksheets/sheet${number}.xml`] as const);
  yield xml("xl/styles.xml", styles);
  yield xml("xl/_rels/workbook.xml.rels", relations([...files, ["styles", "styles.xml"]]));
  yield xml(
    "xl/workbook.xml",
    html`<workbook xmlns="${main}" xmlns:r="${office}"><sheets>${sheets
      .toReversed()
      .map(
        ({ name, number }) => html`<sheet name="${name}" sheetId="${number}" r:id="rId${number}"/>`,
      )}</sheets></workbook>`,
  );
  yield xml("_rels/.rels", relations([["officeDocument", "xl/workbook.xml"]]));
  const parts = [
    ["xl/workbook.xml", `${sheetType}.sheet.main`],
    ["xl/styles.xml", `${sheetType}.styles`],
    ...sheets.map(({ number }) => [`xl/worksheets/sheet${number}.xml`, `${sheetType}.worksheet`]),
    ...charted.flatMap(({ sheet, charts }) => [
      [`xl/drawings/drawing${sheet}.xml`, `${documentType}.drawing`],
      ...Array.from({ length: charts }, (_, at) => [
        `xl/charts/chart${sheet}-${at + 1}.xml`,
        `${documentType}ml.chart`,
      ]),
    ]),
  ];
  yield xml(
    "[Content_Types].xml",
    html`<Types xmlns="${packaging}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${parts.map(
      ([name, type]) => html`<Override PartName="/${name}" ContentType="${type}+xml"/>`,
    )}</Types>`,
  );
}

const documentType = "application/vnd.openxmlformats-officedocument.drawing";
const sheetType = "application/vnd.openxmlformats-officedocument.spreadsheetml";

const styles = html`<styleSheet xmlns="${main}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="2"><xf/><xf fontId="1" applyFont="1"/></cellXfs></styleSheet>`;
