import type { Browser } from 'playwright-core';

/** Resolves to a Playwright browser that reaches this machine only. */
export function launchBrowser(): Promise<Browser>;
