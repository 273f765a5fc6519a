/** The few ways in which the page touches its document. */
import type { Html } from '../html';

/** An element that the page has drawn itself. */
export function byId(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (element === null) {
    throw new Error(`the page has no ${id}`);
  }
  return element;
}

/** Draws the page anew. From then on it answers: what stood there before the script took no input. */
export function drawRoot({ text }: Html): void {
  const root = byId('root');
  root.innerHTML = text;
  root.inert = false;
}

/** Writes a text where it differs, so that nothing is announced twice. */
export function setText(id: string, text: string): void {
  const element = byId(id);
  if (element.textContent !== text) {
    element.textContent = text;
  }
}

/** The colour that a custom property has now. */
export function colorOf(property: string): string {
  return getComputedStyle(document.body).getPropertyValue(property).trim();
}
