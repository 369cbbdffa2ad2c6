// Allowed imports between units. Imports go one way:
//
//   server → converter → pdf
//   inside the server     main-*, wiring → http → { console, conversions } → { accounts, db, and the interfaces of
//                         storage and queue }; http itself does not import db, nor does an adapter another adapter
//   inside the converter  open-converter → { engines, checks } → { catalog, the interface of the sandbox }
//
// An adapter (local storage, pg-boss, bubblewrap, an engine) knows its own interface and nothing of another
// adapter. Entry points wire everything together and are not imported. The server reaches the converter
// through the doors that its package exports, and through no file behind them.
//
// A unit is a folder or a file. A file belongs to the unit with the longest path that fits. A unit may always
// import itself.

export interface Unit {
  readonly paths: readonly string[]
  readonly mayImport: readonly string[]
}

const unit = (house: string, paths: readonly string[], mayImport: readonly string[]): Unit => ({
  paths: paths.map((path) => `packages/${house}/src/${path}`),
  mayImport,
})
const inServer = (paths: readonly string[], mayImport: readonly string[]) => unit('server', paths, mayImport)
const inConverter = (paths: readonly string[], mayImport: readonly string[]) =>
  unit('converter', paths, mayImport)

const foundation = ['errors', 'contract', 'uuid', 'caches', 'sealed-text', 'rounds', 'at', 'create-once']

// The dependencies of an engine.
const engine = [
  'failure',
  'untrusted-files',
  'catalog',
  'package',
  'sandbox',
  'engines',
  'threads',
  'report',
  'contract',
  'artifacts',
]

export const units: Readonly<Record<string, Unit>> = {
  // House 1: the converter.
  failure: inConverter(['failure.ts'], ['contract']),
  report: inConverter(['report/findings.ts', 'report/count-words.ts'], ['contract']),
  'converter/log': inConverter(['log.ts'], []),
  artifacts: inConverter(['artifact.ts', 'native-helpers.ts'], []),
  'untrusted-files': inConverter(['read-start.ts', 'remove-tree.ts'], []),
  'usable-memory': inConverter(['usable-memory.ts'], []),
  png: inConverter(['png.ts'], []),
  'font-files': { paths: ['packages/converter/fonts/'], mayImport: [] },
  threads: inConverter(['threads/'], ['contract', 'failure', 'usable-memory']),
  // Zip packages and their XML.
  package: inConverter(['package/'], ['failure']),
  catalog: inConverter(['catalog/'], ['failure', 'report', 'contract', 'package']),
  'house-style': inConverter(['house-style.ts'], ['failure', 'catalog', 'package']),
  sandbox: inConverter(
    ['sandbox.ts', 'endings.ts', 'long-lived-process.ts', 'prewarmed-process.ts'].map(
      (name) => `sandbox/${name}`,
    ),
    [],
  ),
  'sandbox/levels': inConverter(
    ['sandbox/'],
    ['sandbox', 'converter/log', 'untrusted-files', 'usable-memory', 'artifacts'],
  ),
  engines: inConverter(
    [
      'engines/engine.ts',
      'engines/ask-version.ts',
      'engines/judge-ending.ts',
      'engines/fonts.ts',
      'engines/operator-fonts.ts',
      'engines/preloaded-program.ts',
      'engines/sandboxed-program.ts',
      'engines/edit-pdf.ts',
      'engines/reported-failure.ts',
    ],
    ['converter/log', 'failure', 'untrusted-files', 'catalog', 'sandbox', 'threads', 'report', 'artifacts'],
  ),
  'report/make': inConverter(['report/'], ['report', 'engines', 'contract']),
  checks: inConverter(['checks/'], [...engine, 'png']),
  // Pictures of pages, chunks of Markdown: derived from a checked output.
  finish: inConverter(
    ['finish/'],
    ['catalog', 'package', 'sandbox', 'engines', 'threads', 'failure', 'checks'],
  ),
  // It prints what pandoc makes of Markdown, EPUB, RST and LaTeX.
  'engines/chromium': inConverter(['engines/chromium/'], [...engine, 'engines/pandoc']),
  // Programs that run in the sandbox; no module imports them. The texts of an archive are changed for pandoc as a single
  // one is.
  'sandboxed-programs': inConverter(
    ['sandboxed-programs/'],
    ['failure', 'catalog', 'package', 'engines/chromium', 'engines/pandoc'],
  ),
  'engines/ffmpeg': inConverter(['engines/ffmpeg/'], engine),
  'engines/libreoffice': inConverter(['engines/libreoffice/'], [...engine, 'engines/pandoc', 'font-files']),
  'engines/pandoc': inConverter(['engines/pandoc/'], engine),
  'engines/pdf': inConverter(['engines/pdf/'], engine),
  'engines/qpdf': inConverter(['engines/qpdf/'], engine),

  // House 2: the server. What every folder may import:
  errors: inServer(['errors.ts'], ['contract']),
  uuid: inServer(['uuid.ts'], []),
  caches: inServer(['caches.ts'], []),
  rounds: inServer(['rounds.ts'], []),
  at: inServer(['at.ts'], []),
  'create-once': inServer(['create-once.ts'], []),
  'sealed-text': inServer(['sealed-text.ts'], []),
  log: inServer(['log/'], []),
  // Metrics and traces, as the steps of a job use them.
  telemetry: inServer(['telemetry/'], foundation),
  // An adapter declares the settings that it needs; the configuration provides them.
  config: inServer(['config/'], [...foundation, '@catalog', 'storage/s3']),

  // The way of the data, from the outside in.
  http: inServer(
    ['http/'],
    [
      ...foundation,
      'log',
      'telemetry',
      'console',
      'web',
      'conversions',
      'accounts',
      'house-styles',
      '@catalog',
      'storage',
      'storage/local',
      '@worker-pool',
    ],
  ),
  // The APIs of other services.
  compat: inServer(
    ['compat/'],
    [
      ...foundation,
      'config',
      'log',
      'telemetry',
      'http',
      'conversions',
      'accounts',
      '@catalog',
      '@worker-pool',
      'storage',
      'webhooks',
    ],
  ),
  // The functions that the routes of the operator console call.
  console: inServer(
    ['console/'],
    [
      ...foundation,
      'log',
      'web',
      'conversions',
      'accounts',
      'webhooks',
      'house-styles',
      '@house-style',
      '@catalog',
      'db',
      'storage',
      'queue',
    ],
  ),
  // The functions that the routes of the web app call.
  web: inServer(
    ['web/'],
    [...foundation, 'log', 'conversions', 'accounts', 'webhooks', 'house-styles', '@house-style', 'db'],
  ),
  conversions: inServer(
    ['conversions/'],
    [...foundation, 'log', 'telemetry', 'accounts', '@catalog', '@converter', 'db', 'storage', 'queue'],
  ),
  accounts: inServer(['accounts/'], [...foundation, 'db']),
  'house-styles': inServer(['house-styles/'], [...foundation, 'db', '@house-style']),
  // Events for accounts are stored in the database; here they are signed and sent.
  webhooks: inServer(['webhooks/'], [...foundation, 'log', 'telemetry', 'db']),

  // The database: SQL is written here and nowhere else.
  db: inServer(['db/'], [...foundation, '@catalog']),
  'db/private-postgres': inServer(['db/private-postgres/'], ['system-user', 'create-once']),
  // How root hands files and work to another user.
  'system-user': inServer(['system-user/'], []),

  // Interfaces, and the adapters behind them.
  storage: inServer(['storage/'], foundation),
  'storage/local': inServer(['storage/local/'], [...foundation, 'storage']),
  'storage/s3': inServer(['storage/s3/'], [...foundation, 'storage']),
  // A job is enqueued inside the transaction that decides on it, so the queue depends on the database.
  queue: inServer(['queue/'], [...foundation, '@catalog', 'db']),
  'queue/pg-boss': inServer(['queue/pg-boss'], [...foundation, 'queue', '@catalog', 'db']),

  // The operator's command line.
  admin: inServer(
    ['admin/'],
    [
      ...foundation,
      'config',
      'log',
      'console',
      'web',
      'accounts',
      'webhooks',
      'house-styles',
      '@catalog',
      '@converter',
      'db',
      'storage',
    ],
  ),
}

/** The files behind a package of ours that is imported by its name. */
export const doors: Readonly<Record<string, string>> = {
  '@kiln/contract': 'contract',
  '@kiln/converter': '@converter',
  '@kiln/converter/catalog': '@catalog',
  '@kiln/converter/house-style': '@house-style',
  '@kiln/converter/worker-pool': '@worker-pool',
}

/** Entry points and their shared code: may import every unit of their package, and no unit may import them. */
export const wiring = [
  // One file for each process, and their shared code. A file that is outside the folders of the units above is none of
  // them.
  'packages/server/src/*.ts',
  'packages/server/src/wiring/*.ts',
  'packages/converter/src/*.ts',
  // The written-out list of engines.
  'packages/converter/src/engines/index.ts',
]

export interface TextRule {
  readonly name: string
  readonly pattern: RegExp
  /** Paths from the repository's root; the pattern is allowed only there. */
  readonly allowedIn: readonly string[]
  readonly appliesTo: string
}

const server = 'packages/server/src/'
const converter = 'packages/converter/src/'

const startsProcesses = /['"](?:node:)?(?:child_process|cluster)['"]/

/** Code that is allowed in one place only. Comments do not count. */
export const textRules: readonly TextRule[] = [
  {
    name: 'process.env is read in config/config.ts only',
    pattern: /\bprocess\s*\.\s*env\b|\bimport\b[^;\n]*\benv\b[^;\n]*from 'node:process'/,
    allowedIn: [`${server}config/config.ts`],
    appliesTo: server,
  },
  {
    name: 'the converter reads no environment: what it needs are arguments',
    pattern: /\bprocess\s*\.\s*env\b|\bimport\b[^;\n]*\benv\b[^;\n]*from 'node:process'/,
    allowedIn: [],
    appliesTo: converter,
  },
  {
    name: 'the server starts processes in db/private-postgres only',
    pattern: startsProcesses,
    allowedIn: [`${server}db/private-postgres/`],
    appliesTo: server,
  },
  {
    name: 'the converter starts processes in sandbox only',
    pattern: startsProcesses,
    // Code that runs in the sandbox may.
    allowedIn: [`${converter}sandbox/`, `${converter}sandboxed-programs/`],
    appliesTo: converter,
  },
  {
    name: 'the converter knows no job, no account, no database and no HTTP',
    pattern:
      /['"](?:@kiln\/(?!contract['"]|pdf\b)[^'"]*|(?:\.\.\/)+server\/[^'"]*|pg|kysely|pg-boss|fastify|node:https?)['"]/,
    allowedIn: [],
    appliesTo: converter,
  },
  {
    name: 'SQL is written in db only',
    pattern:
      /['"`]\s*(?:select\s|insert\s+into\s|update\s+\S+\s+set\s|delete\s+from\s|with\s+\w+\s+as\s*\(|(?:create|alter|drop)\s+(?:table|index|database|schema|function|type)\s)|\bsql`/i,
    allowedIn: [`${server}db/`],
    appliesTo: server,
  },
  {
    name: 'database drivers are imported in db only',
    pattern: /from\s+['"](?:pg|kysely)(?:\/[^'"]*)?['"]/,
    allowedIn: [`${server}db/`],
    appliesTo: server,
  },
  {
    name: 'the contract imports nothing',
    pattern: /from\s+['"][^.'"][^'"]*['"]|import\s*\(\s*['"][^.'"]/,
    allowedIn: [],
    appliesTo: 'packages/contract/src/',
  },
  {
    name: 'the end-to-end suite sees the service from the outside only',
    pattern:
      /['"](?:@kiln\/server|(?:\.\.\/)+packages\/server)[^'"]*['"]\s*\)?\s*$|from\s+['"][^'"]*packages\/server\/[^'"]*['"]/m,
    allowedIn: [],
    appliesTo: 'e2e/',
  },
  {
    name: 'the agent tool server is mounted in one file',
    pattern: /['"]@kiln\/(?:mcp|client)[^'"]*['"]/,
    allowedIn: [`${server}http/agent-tools.ts`],
    appliesTo: server,
  },
  {
    name: 'the client stands on the contract and the platform alone',
    pattern: /from\s+['"](?!node:|\.|@kiln\/contract['"])[^'"]+['"]/,
    allowedIn: [],
    appliesTo: 'packages/client/src/',
  },
  {
    name: 'the library loads in a browser: it imports parts of Node only when it uses them',
    pattern: /from\s+['"]node:/,
    allowedIn: ['packages/client/src/cli/'],
    appliesTo: 'packages/client/src/',
  },
  {
    name: 'the agent tool server knows the service through the client only',
    pattern: /['"](?:@kiln\/(?!client['"])[^'"]*|(?:\.\.\/)+(?:server|contract|client)\/[^'"]*)['"]/,
    allowedIn: [],
    appliesTo: 'packages/mcp/src/',
  },
  {
    name: 'the product does not import tools',
    pattern: /['"](?:@kiln\/tools|(?:\.\.\/)+tools\/)[^'"]*['"]/,
    allowedIn: [],
    appliesTo: 'packages/',
  },
  {
    name: 'pdf is a program of its own',
    pattern: /['"](?:@kiln\/[^'"]*|(?:\.\.\/)+(?:server|contract)\/[^'"]*)['"]/,
    allowedIn: [],
    appliesTo: 'packages/pdf/src/',
  },
]
