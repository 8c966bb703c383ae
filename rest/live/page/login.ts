/** The form that asks for client key and secret. The server keeps the token in a cookie that no script can read. */
import { byId } from './dom.js';

export class Login {
  readonly #form = byId<HTMLFormElement>('login-form');
  readonly #fault = byId('login-fault');
  readonly #key = byId<HTMLInputElement>('client-key');
  readonly #secret = byId<HTMLInputElement>('client-secret');

  constructor(private readonly loggedIn: () => void) {
    this.#form.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#submit();
    });
  }

  show(reason = ''): void {
    byId('app').hidden = true;
    byId('login').hidden = false;
    document.body.dataset.view = 'login';
    this.#fault.textContent = reason;
    (this.#key.value === '' ? this.#key : this.#secret).focus();
  }

  hide(): void {
    byId('login').hidden = true;
    byId('app').hidden = false;
    document.body.dataset.view = 'app';
  }

  /** False where the server does not say that the login has ended: then it has not. */
  async logOut(): Promise<boolean> {
    const answer = await fetch('/live/logout', { method: 'POST' }).catch(() => undefined);
    return answer?.ok === true;
  }

  async #submit(): Promise<void> {
    const button = this.#form.querySelector('button')!;
    button.disabled = true;
    this.#fault.textContent = '';
    const answer = await fetch('/live/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ client_key: this.#key.value.trim(), client_secret: this.#secret.value.trim() }),
    }).catch(() => undefined);
    button.disabled = false;
    if (answer?.ok) {
      this.#secret.value = '';
      this.loggedIn();
      return;
    }
    const refusal = (await answer?.json().catch(() => undefined)) as { detail?: string } | undefined;
    const wait = answer?.headers.get('retry-after');
    const again = answer?.status === 429 && wait ? ` Try again in ${wait} s.` : '';
    this.#fault.textContent = answer
      ? `${refusal?.detail ?? 'The server does not answer as it should'}.${again}`
      : 'The server cannot be reached.';
    this.#secret.select();
  }
}

/** Whether the browser holds a login that the server knows; `away` when the server does not answer. */
export async function askSession(): Promise<'live' | 'none' | 'away'> {
  try {
    const answer = await fetch('/live/session', { cache: 'no-store' });
    if (!answer.ok) return 'away';
    return ((await answer.json()) as { client_id: string | null }).client_id === null ? 'none' : 'live';
  } catch {
    return 'away';
  }
}
