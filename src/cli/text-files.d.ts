/** Files that the build takes in as text: SQL, help topics, scripts of completion, and what the pages load. */
declare module "*.sql" {
  const text: string;
  export default text;
}

declare module "*.css" {
  const text: string;
  export default text;
}

/** A script that runs in the browser, not here. */
declare module "*.browser.js" {
  const text: string;
  export default text;
}

declare module "*.txt" {
  const text: string;
  export default text;
}
