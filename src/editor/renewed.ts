/**
 * A registration that is renewed when settings change: the editor keeps what some providers answered
 * for a version of a document, and asks again only where the provider is another one.
 */
import { Disposable } from 'vscode';
import type { Settings } from './settings';

/** Registers now and again after every change of a setting. */
export function renewedOnChange(settings: Settings, register: () => Disposable): Disposable {
  let registered = register();
  const listener = settings.onDidChange(() => {
    registered.dispose();
    registered = register();
  });
  return new Disposable(() => {
    listener.dispose();
    registered.dispose();
  });
}
