/**
 * What VS Code's four default themes give a web page, as far as the report draws with it. Written
 * by hand after those themes, for the suites that run the page without an editor; the pictures show
 * the page in the editor's own themes.
 */
export interface PageTheme {
  readonly className: string;
  readonly colors: Readonly<Record<string, string>>;
}

const dark = {
  foreground: '#cccccc',
  descriptionForeground: '#9d9d9d',
  errorForeground: '#f85149',
  focusBorder: '#0078d4',
  'editor-background': '#1f1f1f',
  'editor-foreground': '#cccccc',
  'textLink-foreground': '#4daafc',
  'button-background': '#0078d4',
  'button-foreground': '#ffffff',
  'button-secondaryBackground': '#313131',
  'button-secondaryForeground': '#cccccc',
  'settings-textInputBackground': '#313131',
  'settings-textInputForeground': '#cccccc',
  'settings-textInputBorder': '#3c3c3c',
  'input-placeholderForeground': '#989898',
  'settings-dropdownBackground': '#313131',
  'settings-dropdownForeground': '#cccccc',
  'settings-dropdownBorder': '#3c3c3c',
  'list-hoverBackground': '#2a2d2e',
  'charts-foreground': '#cccccc',
  'charts-red': '#f85149',
  'charts-blue': '#59a4f9',
  'charts-yellow': '#cca700',
  'charts-orange': '#623315',
  'charts-green': '#89d185',
  'charts-purple': '#b180d7',
};

const light: typeof dark = {
  foreground: '#3b3b3b',
  descriptionForeground: '#3b3b3b',
  errorForeground: '#f85149',
  focusBorder: '#005fb8',
  'editor-background': '#ffffff',
  'editor-foreground': '#3b3b3b',
  'textLink-foreground': '#005fb8',
  'button-background': '#005fb8',
  'button-foreground': '#ffffff',
  'button-secondaryBackground': '#e5e5e5',
  'button-secondaryForeground': '#3b3b3b',
  'settings-textInputBackground': '#ffffff',
  'settings-textInputForeground': '#3b3b3b',
  'settings-textInputBorder': '#cecece',
  'input-placeholderForeground': '#767676',
  'settings-dropdownBackground': '#ffffff',
  'settings-dropdownForeground': '#3b3b3b',
  'settings-dropdownBorder': '#cecece',
  'list-hoverBackground': '#f2f2f2',
  'charts-foreground': '#3b3b3b',
  'charts-red': '#f85149',
  'charts-blue': '#0063d3',
  'charts-yellow': '#bf8803',
  'charts-orange': '#e9bfa3',
  'charts-green': '#388a34',
  'charts-purple': '#652d90',
};

const contrast = {
  ...dark,
  foreground: '#ffffff',
  descriptionForeground: 'rgba(255, 255, 255, 0.7)',
  focusBorder: '#f38518',
  contrastBorder: '#6fc3df',
  contrastActiveBorder: '#f38518',
  'editor-background': '#000000',
  'editor-foreground': '#ffffff',
  'textLink-foreground': '#21a6ff',
  'button-background': '#000000',
  'button-border': '#6fc3df',
  'button-secondaryBackground': '#000000',
  'button-secondaryForeground': '#ffffff',
  'settings-textInputBackground': '#000000',
  'settings-textInputForeground': '#ffffff',
  'settings-textInputBorder': '#6fc3df',
  'settings-dropdownBackground': '#000000',
  'settings-dropdownForeground': '#ffffff',
  'settings-dropdownBorder': '#6fc3df',
  'charts-yellow': '#ffd370',
};

const contrastLight = {
  ...light,
  'charts-red': '#b5200d',
  'charts-blue': '#0063d3',
  'charts-yellow': '#895503',
  'charts-orange': '#d18616',
  'charts-green': '#374e06',
  foreground: '#292929',
  descriptionForeground: 'rgba(41, 41, 41, 0.7)',
  focusBorder: '#006bbd',
  contrastBorder: '#0f4a85',
  contrastActiveBorder: '#006bbd',
  'textLink-foreground': '#0f4a85',
  'button-background': '#0f4a85',
  'button-border': '#0f4a85',
  'button-secondaryBackground': '#ffffff',
  'button-secondaryForeground': '#0f4a85',
  'settings-textInputBorder': '#0f4a85',
  'settings-dropdownBorder': '#0f4a85',
};

export const pageThemes = {
  dark: { className: 'vscode-dark', colors: dark },
  light: { className: 'vscode-light', colors: light },
  'high-contrast': { className: 'vscode-high-contrast', colors: contrast },
  'high-contrast-light': {
    className: 'vscode-high-contrast vscode-high-contrast-light',
    colors: contrastLight,
  },
} as const satisfies Record<string, PageTheme>;

export type PageThemeName = keyof typeof pageThemes;
