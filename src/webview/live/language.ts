/**
 * Imported first, for what it does: a browser on a machine with an odd locale calls its language
 * `en-US@posix`, and the chart library asks for number formats in it as it loads.
 */
try {
  Intl.getCanonicalLocales(navigator.language);
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en-US' });
}
