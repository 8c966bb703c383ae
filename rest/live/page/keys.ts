/** Keyboard shortcuts. None acts while the focus is in an input. */
export interface KeyActions {
  find(): void;
  /** True: the key was for the board. */
  move(key: string): boolean;
  pin(): void;
  back(): void;
  view(name: 'rates' | 'blotter' | 'engines'): void;
  theme(): void;
  help(): void;
}

const TYPED_IN = 'input, textarea, select, [contenteditable]';

export function listenForKeys(actions: KeyActions): void {
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const target = event.target as Element | null;
    const isTyping = target?.matches(TYPED_IN) ?? false;
    if (event.key === 'Escape') return actions.back();
    if (document.querySelector('dialog[open]')) return;
    const act = isTyping ? undefined : actionOf(event.key, actions);
    const isMove = target?.closest('.tile') !== null && !isTyping && actions.move(event.key);
    if (act) act();
    if (act || isMove) event.preventDefault();
  });
}

function actionOf(key: string, actions: KeyActions): (() => void) | undefined {
  switch (key.length === 1 ? key.toLowerCase() : key) {
    case '/':
      return () => actions.find();
    case '?':
      return () => actions.help();
    case 'p':
      return () => actions.pin();
    case 'd':
      return () => actions.theme();
    case 'r':
      return () => actions.view('rates');
    case 'b':
      return () => actions.view('blotter');
    case 'e':
      return () => actions.view('engines');
    default:
      return undefined;
  }
}
