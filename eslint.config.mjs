/**
 * The house rules as lint: the layer arrows of CONTRIBUTING.md, one owner each for settings,
 * commands and decorations, no foreign API in core, strict types.
 */
import { builtinModules } from 'node:module';
import tseslint from 'typescript-eslint';

/** What each folder of core may import from, besides itself. Everything else is against the arrows. */
const arrows = {
  units: [],
  terms: ['units'],
  message: ['units'],
  python: ['terms', 'units', 'message'],
  sglang: ['units', 'terms'],
  log: ['sglang', 'units'],
  model: ['terms', 'sglang', 'units', 'message'],
  account: ['python', 'model', 'log', 'sglang', 'terms', 'units', 'message'],
  annotate: ['account', 'python', 'model', 'log', 'sglang', 'terms', 'units', 'message'],
  report: ['account', 'model', 'log', 'sglang', 'terms', 'units', 'message'],
};

const folders = Object.keys(arrows);
const builtins = [...builtinModules, 'node:*'];

const foreignToCore = {
  group: ['vscode', ...builtins],
  message:
    'core imports neither vscode nor Node: declare an interface and let a host implement it.',
};

/** Rule options of one core folder: no foreign API, no import against the arrows. */
function coreFolder(folder) {
  const forbidden = folders.filter(other => other !== folder && !arrows[folder].includes(other));
  return {
    files: [`src/core/${folder}/**/*.ts`],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            foreignToCore,
            {
              group: forbidden.flatMap(other => [`**/${other}/**`]),
              message: `core/${folder} may import only from: ${arrows[folder].join(', ') || 'itself'}.`,
            },
            {
              group: ['**/editor/**', '**/node/**', '**/web/**', '**/webview/**', '**/cli/**'],
              message: 'core knows no host.',
            },
          ],
        },
      ],
    },
  };
}

const noNode = { group: builtins, message: 'This runs in a browser as well: no Node here.' };

const noEditor = {
  group: ['vscode', '**/editor/**'],
  message: 'Only src/editor and the two entries know VS Code.',
};

function hostFolder(files, patterns) {
  return { files, rules: { 'no-restricted-imports': ['error', { patterns }] } };
}

const noEnum = { selector: 'TSEnumDeclaration', message: 'Use a union of strings.' };

const foreignImports = {
  selector: 'ImportExpression[source.value=/^[^.]/]',
  message: foreignToCore.message,
};

/** VS Code APIs that one file of editor/ owns, however they are reached. */
const ownedApis = [
  { owner: 'settings.ts', property: 'getConfiguration', what: 'Reading settings' },
  { owner: 'commands.ts', property: 'registerCommand', what: 'Registering commands' },
  { owner: 'decorations.ts', property: 'createTextEditorDecorationType', what: 'Decorating' },
];

/** The syntax that is refused everywhere but in the owner's file. */
function restrictedSyntax(owner, ...more) {
  const foreign = ownedApis
    .filter(api => api.owner !== owner)
    .map(({ owner: file, property, what }) => ({
      selector: `MemberExpression[property.name='${property}']`,
      message: `${what} goes through src/editor/${file}.`,
    }));
  return { 'no-restricted-syntax': ['error', noEnum, ...foreign, ...more] };
}

const ownership = { files: ['src/**/*.ts'], rules: restrictedSyntax(undefined) };

const coreSyntax = {
  files: ['src/core/**/*.ts'],
  rules: restrictedSyntax(undefined, foreignImports),
};

const owners = ownedApis.map(({ owner }) => ({
  files: [`src/editor/${owner}`],
  rules: restrictedSyntax(owner),
}));

export default tseslint.config(
  { ignores: ['dist/**', '.cache/**', '**/node_modules/**', 'media/**', 'coverage/**'] },
  ...tseslint.configs.strictTypeChecked.map(config => ({ ...config, files: ['**/*.ts'] })),
  ...tseslint.configs.stylisticTypeChecked.map(config => ({ ...config, files: ['**/*.ts'] })),
  {
    files: ['**/*.ts'],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      'no-restricted-exports': ['error', { restrictDefaultExports: { direct: true } }],
      'no-restricted-syntax': ['error', noEnum],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
    },
  },
  {
    // Python compares an int with a float by value; in TypeScript that is `==` on bigint and number.
    files: ['src/core/units/pythonNumber.ts', 'src/core/terms/**/*.ts', 'src/core/python/**/*.ts'],
    rules: { eqeqeq: 'off' },
  },
  ...folders.map(coreFolder),
  hostFolder(['src/editor/**/*.ts', 'src/web/**/*.ts'], [noNode]),
  hostFolder(['src/webview/**/*.ts', 'src/wording/**/*.ts'], [noNode, noEditor]),
  hostFolder(['src/cli/**/*.ts'], [noEditor]),
  ownership,
  coreSyntax,
  ...owners,
  {
    files: ['*.config.ts', '*.config.mjs'],
    rules: { 'no-restricted-exports': 'off' },
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unused-expressions': 'off',
      eqeqeq: 'off',
    },
  },
);
