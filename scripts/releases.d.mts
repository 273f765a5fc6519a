/** The releases that gate CI, oldest first. */
export declare const pinnedReleases: readonly string[];

/** Where releases are unpacked. */
export declare function releasesFolder(): string;

/** The folder that holds the release's `sglang/`; fetches it when it is not there. */
export declare function fetchRelease(version: string): Promise<string>;
