/** The few things that this page does with the document. */

/** The element of that id; the markup has it. */
export function byId<E extends HTMLElement = HTMLElement>(id: string): E {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`no element #${id}`);
  return found as E;
}

export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  className = '',
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  if (className !== '') made.className = className;
  made.append(...children);
  return made;
}

/** A text that is only written when it is another one: what stays costs no layout. */
export class Text {
  readonly node: globalThis.Text;
  #text: string;

  constructor(text = '') {
    this.#text = text;
    this.node = document.createTextNode(text);
  }

  set(text: string): void {
    if (text === this.#text) return;
    this.#text = text;
    this.node.data = text;
  }
}

/** Several chips of which one is pressed. */
export function chips(group: HTMLElement, chosen: (kind: string) => void): (kind: string) => void {
  const buttons = [...group.querySelectorAll<HTMLButtonElement>('button')];
  const press = (kind: string) => {
    for (const one of buttons) one.setAttribute('aria-pressed', String(one.dataset.kind === kind));
    chosen(kind);
  };
  for (const button of buttons) button.addEventListener('click', () => press(button.dataset.kind ?? ''));
  return press;
}

/** What the user chose here before; '' where nothing is kept. */
export function kept(name: string): string {
  try {
    return localStorage.getItem(`ratewire.${name}`) ?? '';
  } catch {
    return '';
  }
}

export function keep(name: string, value: string): void {
  try {
    localStorage.setItem(`ratewire.${name}`, value);
  } catch {
    // A browser that keeps nothing shows the page as it comes.
  }
}
