// Who may import whom. Imports go one way:
//
//   http → conversions → { accounts, catalog, db, and the interfaces of storage, queue, sandbox, engines }
//
// An adapter (local storage, pg-boss, bubblewrap, an engine) knows its own interface and nothing of another
// adapter. Entry points wire everything together and are imported by nobody.
//
// A unit is a folder or a file below packages/server/src. A file belongs to the unit with the longest path
// that fits. A unit may always import itself.

export interface Unit {
  readonly paths: readonly string[]
  readonly mayImport: readonly string[]
}

const foundation = ['errors', 'contract']

export const units: Readonly<Record<string, Unit>> = {
  // What everybody may stand on.
  errors: { paths: ['errors.ts'], mayImport: ['contract'] },
  log: { paths: ['log.ts', 'log-destination.ts'], mayImport: [] },
  // Metrics and traces, as the steps of a job use them.
  telemetry: { paths: ['telemetry/'], mayImport: foundation },
  // An adapter says what settings it needs; the configuration fills them in.
  config: {
    paths: ['config.ts', 'configuration-table.ts'],
    mayImport: [...foundation, 'catalog', 'storage/s3'],
  },

  // The way of the data, from the outside in.
  http: {
    paths: ['http/'],
    // It serves the signed links of the local store itself; with S3 the store does.
    mayImport: [
      ...foundation,
      ...[
        'log',
        'telemetry',
        'console',
        'conversions',
        'accounts',
        'catalog',
        'db',
        'storage',
        'storage/local',
      ],
    ],
  },
  // What the routes of the operator console call.
  console: {
    paths: ['console/'],
    mayImport: [...foundation, 'log', 'conversions', 'accounts', 'catalog', 'db', 'storage', 'queue'],
  },
  conversions: {
    paths: ['conversions/'],
    // The checks of an output are the other half of the engines' interface: what a pair promises.
    mayImport: [
      ...foundation,
      'log',
      'telemetry',
      'accounts',
      'catalog',
      'db',
      'storage',
      'queue',
      'sandbox',
      'engines',
      'engines/checks',
    ],
  },
  accounts: { paths: ['accounts/'], mayImport: [...foundation, 'db'] },
  catalog: { paths: ['catalog/'], mayImport: foundation },

  // The database: SQL is written here and nowhere else.
  db: { paths: ['db/'], mayImport: foundation },
  'db/private-postgres': { paths: ['db/private-postgres/'], mayImport: [] },

  // Interfaces, and the adapters behind them.
  storage: { paths: ['storage/'], mayImport: foundation },
  'storage/local': { paths: ['storage/local/'], mayImport: [...foundation, 'storage'] },
  'storage/s3': { paths: ['storage/s3/'], mayImport: [...foundation, 'storage'] },
  // A job is enqueued inside the transaction that decides on it, so the queue knows the database.
  queue: { paths: ['queue/'], mayImport: [...foundation, 'catalog', 'db'] },
  'queue/pg-boss': { paths: ['queue/pg-boss'], mayImport: [...foundation, 'queue', 'catalog', 'db'] },
  sandbox: { paths: ['sandbox/sandbox.ts', 'sandbox/long-lived-box.ts'], mayImport: foundation },
  'sandbox/levels': { paths: ['sandbox/'], mayImport: [...foundation, 'log', 'sandbox'] },
  engines: { paths: ['engines/engine.ts'], mayImport: [...foundation, 'catalog', 'sandbox'] },
  'engines/checks': {
    paths: ['engines/checks/'],
    mayImport: [...foundation, 'catalog', 'sandbox', 'engines'],
  },
  // It prints what pandoc makes of Markdown, EPUB, RST and LaTeX.
  'engines/chromium': {
    paths: ['engines/chromium/'],
    mayImport: [...foundation, 'catalog', 'sandbox', 'engines', 'engines/pandoc'],
  },
  'engines/ffmpeg': {
    paths: ['engines/ffmpeg/'],
    mayImport: [...foundation, 'catalog', 'sandbox', 'engines'],
  },
  'engines/libreoffice': {
    paths: ['engines/libreoffice/'],
    mayImport: [...foundation, 'catalog', 'sandbox', 'engines'],
  },
  'engines/pandoc': {
    paths: ['engines/pandoc/'],
    mayImport: [...foundation, 'catalog', 'sandbox', 'engines'],
  },

  'engines/pdf': {
    paths: ['engines/pdf/'],
    mayImport: [...foundation, 'catalog', 'sandbox', 'engines'],
  },

  // The operator's command line.
  admin: {
    paths: ['admin/'],
    mayImport: [
      ...foundation,
      ...[
        'config',
        'log',
        'console',
        'accounts',
        'catalog',
        'db',
        'storage',
        'engines',
        'sandbox',
        'sandbox/levels',
      ],
    ],
  },
}

/** Entry points and what they share: may import every unit, and no unit may import them. */
export const wiring = [
  // The files of no folder, except those that are a unit above.
  '*.ts',
  // The written-out list of engines.
  'engines/index.ts',
]

export interface TextRule {
  readonly name: string
  readonly pattern: RegExp
  /** Paths from the repository's root; only there the pattern may stand. */
  readonly allowedIn: readonly string[]
  readonly appliesTo: string
}

const server = 'packages/server/src/'

/** What may be written in one place only. Comments do not count. */
export const textRules: readonly TextRule[] = [
  {
    name: 'process.env is read in config.ts only',
    pattern: /\bprocess\s*\.\s*env\b|\bimport\b[^;\n]*\benv\b[^;\n]*from 'node:process'/,
    allowedIn: [`${server}config.ts`],
    appliesTo: server,
  },
  {
    name: 'processes are started in sandbox and db/private-postgres only',
    pattern: /['"](?:node:)?(?:child_process|cluster)['"]/,
    allowedIn: [`${server}sandbox/`, `${server}db/private-postgres/`],
    appliesTo: server,
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
    name: 'pdf is a program of its own',
    pattern: /['"](?:@kiln\/[^'"]*|(?:\.\.\/)+(?:server|contract)\/[^'"]*)['"]/,
    allowedIn: [],
    appliesTo: 'packages/pdf/src/',
  },
]
