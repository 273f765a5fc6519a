/** The type of the panels of report pages, by which the editor makes them again. */
export const pageType = 'sglangKvLens.report';
