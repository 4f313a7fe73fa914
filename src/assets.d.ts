/** Files that are imported as text: by esbuild's `text` loader, and in tests by `test/text-files.ts`. */
declare module "*.sql" {
  const text: string;
  export default text;
}

declare module "*.css" {
  const text: string;
  export default text;
}

/** A script of a page. It runs in the browser, so the program only hands it out. */
declare module "*.client.js" {
  const text: string;
  export default text;
}
