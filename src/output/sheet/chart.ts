/** Bar charts of a spreadsheet, as its file format (DrawingML) writes them down. */
import { type Html, html } from "../../markup/html.ts";

/** Bars of one column of a sheet, named by another; the values are kept with it for those who show no sheet. */
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
const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/** Where charts stand on a sheet: one below the other, in columns and lines counted from 0. */
const place = { column: 4, columns: 9, lines: 18 } as const;

/** The charts of a sheet, each by the number of its relation. */
export const drawingXml = (charts: readonly Chart[]): Html =>
  html`<xdr:wsDr xmlns:xdr="${placing}" xmlns:a="${drawing}">${charts.map(
    ({ title }, at) =>
      html`<xdr:twoCellAnchor><xdr:from>${corner(place.column, at * place.lines + 1)}</xdr:from><xdr:to>${corner(place.column + place.columns, (at + 1) * place.lines)}</xdr:to><xdr:graphicFrame macro=""><xdr:nvGraphicFramePr><xdr:cNvPr id="${at + 2}" name="${title}"/><xdr:cNvGraphicFramePr/></xdr:nvGraphicFramePr><xdr:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/></xdr:xfrm><a:graphic><a:graphicData uri="${chart}"><c:chart xmlns:c="${chart}" xmlns:r="${office}" r:id="rId${at + 1}"/></a:graphicData></a:graphic></xdr:graphicFrame><xdr:clientData/></xdr:twoCellAnchor>`,
  )}</xdr:wsDr>`;

const corner = (column: number, line: number): Html =>
  html`<xdr:col>${column}</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>${line}</xdr:row><xdr:rowOff>0</xdr:rowOff>`;

/** One chart; `sheet` names the sheet that its values stand on. */
export const chartXml = ({ title, firstLine, bars, names, values }: Chart, sheet: string): Html => {
  const range = (letter: string): string =>
    `'${sheet.replaceAll("'", "''")}'!$${letter}$${firstLine}:$${letter}$${firstLine + bars.length - 1}`;
  const points = (of: (bar: Chart["bars"][number]) => string | number): Html =>
    html`<c:ptCount val="${bars.length}"/>${bars.map((bar, at) => html`<c:pt idx="${at}"><c:v>${of(bar)}</c:v></c:pt>`)}`;
  return html`<c:chartSpace xmlns:c="${chart}" xmlns:a="${drawing}"><c:chart><c:title><c:tx><c:rich><a:bodyPr/><a:p><a:r><a:rPr lang="en-US" sz="1200"/><a:t>${title}</a:t></a:r></a:p></c:rich></c:tx><c:overlay val="0"/></c:title><c:autoTitleDeleted val="0"/><c:plotArea><c:layout/><c:barChart><c:barDir val="bar"/><c:grouping val="clustered"/><c:varyColors val="0"/><c:ser><c:idx val="0"/><c:order val="0"/><c:spPr><a:solidFill><a:srgbClr val="17494D"/></a:solidFill></c:spPr><c:invertIfNegative val="0"/><c:dLbls><c:showLegendKey val="0"/><c:showVal val="1"/><c:showCatName val="0"/><c:showSerName val="0"/><c:showPercent val="0"/><c:showBubbleSize val="0"/></c:dLbls><c:cat><c:strRef><c:f>${range(names)}</c:f><c:strCache>${points(({ name }) => name)}</c:strCache></c:strRef></c:cat><c:val><c:numRef><c:f>${range(values)}</c:f><c:numCache><c:formatCode>General</c:formatCode>${points(({ value }) => value)}</c:numCache></c:numRef></c:val></c:ser><c:gapWidth val="60"/><c:axId val="1"/><c:axId val="2"/></c:barChart><c:catAx><c:axId val="1"/><c:scaling><c:orientation val="maxMin"/></c:scaling><c:delete val="0"/><c:axPos val="l"/><c:numFmt formatCode="General" sourceLinked="0"/><c:majorTickMark val="none"/><c:minorTickMark val="none"/><c:tickLblPos val="nextTo"/><c:crossAx val="2"/><c:crosses val="autoZero"/></c:catAx><c:valAx><c:axId val="2"/><c:scaling><c:orientation val="minMax"/><c:min val="0"/></c:scaling><c:delete val="1"/><c:axPos val="t"/><c:numFmt formatCode="General" sourceLinked="0"/><c:majorTickMark val="none"/><c:minorTickMark val="none"/><c:tickLblPos val="nextTo"/><c:crossAx val="1"/><c:crosses val="max"/></c:valAx></c:plotArea><c:plotVisOnly val="1"/></c:chart></c:chartSpace>`;
};
