/** How the consent page looks: light and dark, readable at any width. */
export const style = `
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 36rem; padding: 0 1rem; }
h1 { font-size: 1.4rem; }
fieldset { border: 1px solid; border-radius: .5rem; margin: 1rem 0; padding: .5rem 1rem; }
label { display: block; padding: .25rem 0; }
code { font-size: .85em; opacity: .75; }
select, button { font: inherit; padding: .4rem .8rem; }
button { border-radius: .4rem; cursor: pointer; margin-right: .5rem; }
:focus-visible { outline: 3px solid Highlight; outline-offset: 2px; }
footer { border-top: 1px solid; margin-top: 2rem; opacity: .75; }
`;
