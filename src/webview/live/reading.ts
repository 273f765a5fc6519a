/**
 * What stands on the page while a long log is read: its name, how far it is, a way to stop; alone, or
 * at the top of what its beginning tells.
 */
import { html } from '../html';
import type { ReadingMessage } from '../protocol';
import { drawRoot } from './document';

/** Shows the state of the reading; an element that is there already is only moved on. */
export function showReading({ text, stop, share }: ReadingMessage): void {
  const bar = document.querySelector<HTMLProgressElement>('.reading progress');
  if (bar !== null) {
    bar.value = share;
    return;
  }
  const controls = html`<progress aria-label="${text}" max="1" value="${share}"></progress>
    <p><vscode-button secondary data-act="stop">${stop}</vscode-button></p>`;
  const place = document.getElementById('reading');
  if (place !== null) {
    place.innerHTML = controls.text;
    return;
  }
  drawRoot(
    html`<main class="page reading">
      <p role="status">${text}</p>
      ${controls}
    </main>`,
  );
}
