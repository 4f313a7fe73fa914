/**
 * A spreadsheet (.xlsx) that is written row by row, with charts: the libraries hold every row in memory
 * and have no charts. Texts stay texts: nothing in them is calculated, whatever they begin with.
 */

import { unzipSync, Zip, ZipDeflate } from "fflate";
import { type Html, html } from "../markup/html.ts";
import { withoutControls } from "./text/safe.ts";

export type SheetCell = string | number | null;

export interface Sheet {
  readonly name: string;
  /** Widths of the columns, in characters. */
  readonly widths: readonly number[];
  /** The first is the heading. */
  readonly rows: Iterable<readonly SheetCell[]> | AsyncIterable<readonly SheetCell[]>;
  /** Charts next to its rows; requested after the last row was written. */
  readonly charts?: () => readonly Chart[];
}

/** Rows that a sheet can hold, its heading included. */
export const maxSheetRows = 1_048_576;

/** Characters that a cell can hold. */
const maxCell = 32_767;

/**
 * The bytes of a workbook. Sheets are written in the order in which they come, and shown in the reverse:
 * a summary is complete only after the last row, but is shown first.
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
  const attributes = html`r="${place}"${line === 1 ? html` s="1"` : ""}`;
  if (typeof value === "number") return html`<c ${attributes}><v>${value}</v></c>`.text;
  return html`<c ${attributes} t="inlineStr"><is><t xml:space="preserve">${textOf(value)}</t></is></c>`
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

/** The files that describe the other files. */
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

/** Bars of one column of a sheet, named by another; the values are stored with it for programs that show no sheet. */
export interface Chart {
  readonly title: string;
  /** Lines of the sheet, from 1. */
  readonly firstLine: number;
  readonly bars: readonly { readonly name: string; readonly value: number }[];
  /** Letters of the columns. */
  readonly names: string;
  readonly values: string;
}

const chart = "http://schemas.openxmlformats.org/drawingml/2006/chart";
const drawing = "http://schemas.openxmlformats.org/drawingml/2006/main";
const placing = "http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing";

/** The place of charts on a sheet: one below the other, in columns and lines counted from 0. */
const place = { column: 4, columns: 9, lines: 18 } as const;

/** The charts of a sheet, each by the number of its relation. */
const drawingXml = (charts: readonly Chart[]): Html =>
  html`<xdr:wsDr xmlns:xdr="${placing}" xmlns:a="${drawing}">${charts.map(
    ({ title }, at) =>
      html`<xdr:twoCellAnchor><xdr:from>${corner(place.column, at * place.lines + 1)}</xdr:from><xdr:to>${corner(place.column + place.columns, (at + 1) * place.lines)}</xdr:to><xdr:graphicFrame macro=""><xdr:nvGraphicFramePr><xdr:cNvPr id="${at + 2}" name="${title}"/><xdr:cNvGraphicFramePr/></xdr:nvGraphicFramePr><xdr:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/></xdr:xfrm><a:graphic><a:graphicData uri="${chart}"><c:chart xmlns:c="${chart}" xmlns:r="${office}" r:id="rId${at + 1}"/></a:graphicData></a:graphic></xdr:graphicFrame><xdr:clientData/></xdr:twoCellAnchor>`,
  )}</xdr:wsDr>`;

const corner = (column: number, line: number): Html =>
  html`<xdr:col>${column}</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>${line}</xdr:row><xdr:rowOff>0</xdr:rowOff>`;

/** One chart; `sheet` names the sheet with its values. */
const chartXml = ({ title, firstLine, bars, names, values }: Chart, sheet: string): Html => {
  const range = (letter: string): string =>
    `'${sheet.replaceAll("'", "''")}'!$${letter}$${firstLine}:$${letter}$${firstLine + bars.length - 1}`;
  const points = (of: (bar: Chart["bars"][number]) => string | number): Html =>
    html`<c:ptCount val="${bars.length}"/>${bars.map((bar, at) => html`<c:pt idx="${at}"><c:v>${of(bar)}</c:v></c:pt>`)}`;
  return html`<c:chartSpace xmlns:c="${chart}" xmlns:a="${drawing}"><c:chart><c:title><c:tx><c:rich><a:bodyPr/><a:p><a:r><a:rPr lang="en-US" sz="1200"/><a:t>${title}</a:t></a:r></a:p></c:rich></c:tx><c:overlay val="0"/></c:title><c:autoTitleDeleted val="0"/><c:plotArea><c:layout/><c:barChart><c:barDir val="bar"/><c:grouping val="clustered"/><c:varyColors val="0"/><c:ser><c:idx val="0"/><c:order val="0"/><c:spPr><a:solidFill><a:srgbClr val="17494D"/></a:solidFill></c:spPr><c:invertIfNegative val="0"/><c:dLbls><c:showLegendKey val="0"/><c:showVal val="1"/><c:showCatName val="0"/><c:showSerName val="0"/><c:showPercent val="0"/><c:showBubbleSize val="0"/></c:dLbls><c:cat><c:strRef><c:f>${range(names)}</c:f><c:strCache>${points(({ name }) => name)}</c:strCache></c:strRef></c:cat><c:val><c:numRef><c:f>${range(values)}</c:f><c:numCache><c:formatCode>General</c:formatCode>${points(({ value }) => value)}</c:numCache></c:numRef></c:val></c:ser><c:gapWidth val="60"/><c:axId val="1"/><c:axId val="2"/></c:barChart><c:catAx><c:axId val="1"/><c:scaling><c:orientation val="maxMin"/></c:scaling><c:delete val="0"/><c:axPos val="l"/><c:numFmt formatCode="General" sourceLinked="0"/><c:majorTickMark val="none"/><c:minorTickMark val="none"/><c:tickLblPos val="nextTo"/><c:crossAx val="2"/><c:crosses val="autoZero"/></c:catAx><c:valAx><c:axId val="2"/><c:scaling><c:orientation val="minMax"/><c:min val="0"/></c:scaling><c:delete val="1"/><c:axPos val="t"/><c:numFmt formatCode="General" sourceLinked="0"/><c:majorTickMark val="none"/><c:minorTickMark val="none"/><c:tickLblPos val="nextTo"/><c:crossAx val="1"/><c:crosses val="max"/></c:valAx></c:plotArea><c:plotVisOnly val="1"/></c:chart></c:chartSpace>`;
};

/** A file of an archive; its text is read in pieces after the file before it is complete. */
interface ZipFile {
  readonly name: string;
  readonly text: Iterable<string> | AsyncIterable<string>;
}

/** Characters that are compressed at once. */
const packed = 65_536;

/** The bytes of an archive of these files, in their order. Errors of a text pass through. */
async function* zipOf(
  files: Iterable<ZipFile> | AsyncIterable<ZipFile>,
): AsyncGenerator<Uint8Array> {
  const ready: Uint8Array[] = [];
  const zip = new Zip((error, bytes) => {
    if (error) throw error;
    ready.push(bytes);
  });
  const encoder = new TextEncoder();
  for await (const { name, text } of files) {
    const entry = new ZipDeflate(name, { level: 6 });
    zip.add(entry);
    for await (const piece of inPieces(text)) {
      entry.push(encoder.encode(piece));
      yield* ready.splice(0);
    }
    entry.push(new Uint8Array(), true);
    yield* ready.splice(0);
  }
  zip.end();
  yield* ready.splice(0);
}

async function* inPieces(text: Iterable<string> | AsyncIterable<string>): AsyncGenerator<string> {
  let piece = "";
  for await (const part of text) {
    piece += part;
    if (piece.length < packed) continue;
    yield piece;
    piece = "";
  }
  yield piece;
}

/** A file of a workbook that has at most so many bytes, and the bytes of all its files. Throws if it is damaged. */
export const unpackOne = (
  bytes: Uint8Array,
  wanted: { readonly name: string; readonly maxBytes: number },
) => {
  let size = 0;
  const files = unzipSync(bytes, {
    filter: ({ name, originalSize }) => {
      size += originalSize;
      return name === wanted.name && originalSize <= wanted.maxBytes;
    },
  });
  return { size, found: files[wanted.name] };
};
