/** Elements, made without markup: what comes from data is text, whatever it looks like. */
type Child = Node | string | undefined;
type Attributes = Readonly<Record<string, string | number | undefined>>;

/** A new element; an attribute that is undefined is left out. */
export const element = <Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] => fill(document.createElement(tag), attributes, children);

/** A new element of a drawing. */
export const mark = <Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): SVGElementTagNameMap[Tag] => fill(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);

const fill = <E extends Element>(node: E, attributes: Attributes, children: readonly Child[]): E => {
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined) node.setAttribute(name, String(value));
  node.append(...children.filter((child) => child !== undefined));
  return node;
};

/** A button that does something. */
export const button = (text: string, attributes: Attributes, onClick: () => void): HTMLButtonElement => {
  const made = element('button', { type: 'button', ...attributes }, text);
  made.addEventListener('click', onClick);
  return made;
};

/** An element of the page. */
export const get = <E extends HTMLElement>(id: string, kind: new () => E): E => {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`The page has no #${id}.`);
  return found;
};

/** Text for those who hear the page. */
export const quiet = (text: string): HTMLElement => element('span', { class: 'quiet' }, text);

/** Saves a text as a file. */
export const save = (name: string, type: string, text: string): void => {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = element('a', { href: address, download: name });
  link.click();
  // The browser has taken it by then.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
};
