import fc from 'fast-check'

// Parts of generated requests: methods, headers, queries and path segments, valid and invalid.

export const methods = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'DELETE',
  'PATCH',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'PURGE',
  'SEARCH',
]

export const headerText = fc.oneof(
  fc.stringMatching(/^[!-~]([ -~]{0,60}[!-~])?$/),
  fc.integer({ min: 1, max: 3000 }).map((length) => 'h'.repeat(length)),
  fc.constantFrom('%00', '\u00ff\u00fe', '<script>', '../..', '-1', '1e9', '*', ',,,', '"', ';q=2'),
)

// Headers that a client may well send wrongly. Not `content-length` and its like: those are for
// requests written by hand. No long waits either.
export const oddHeaders = fc.array(
  fc.oneof(
    fc.tuple(
      fc.constantFrom(
        'accept',
        'accept-encoding',
        'range',
        'if-none-match',
        'x-forwarded-for',
        'forwarded',
        'origin',
      ),
      headerText,
    ),
    fc.tuple(
      fc.constantFrom('x-http-method-override', 'x-forwarded-host', 'cookie', 'user-agent', 'te'),
      headerText,
    ),
    fc.tuple(
      fc.constant('prefer'),
      fc.constantFrom('wait', 'wait=', 'wait=x', 'wait=-1', 'wait=0', '=', 'wait=0, wait=0'),
    ),
    fc.tuple(fc.stringMatching(/^x-[a-z0-9]{1,30}$/), headerText),
  ),
  { maxLength: 3 },
)

export const queries = fc.oneof(
  { weight: 3, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: fc.stringMatching(/^\?[!$&-;=?-Z_a-z~]{0,60}$/) },
  { weight: 1, arbitrary: fc.constantFrom('?%', '?%00=%ff', '?a[]=1&a[b]=2', '?__proto__=1', '?id=1&id=2') },
)

export const segments = fc.oneof(
  fc.constantFrom(
    'v1',
    'V1',
    'formats',
    'conversions',
    'usage',
    'files',
    'in',
    'out',
    'docs',
    'openapi.json',
    'static',
  ),
  fc.constantFrom(
    '..',
    '.',
    '',
    '%2e%2e',
    '%2f',
    '%00',
    '%ff',
    '%',
    '%zz',
    '*',
    ':id',
    'healthz',
    '__proto__',
  ),
  fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => encodeURIComponent(text.toWellFormed())),
  fc.integer({ min: 100, max: 5000 }).map((length) => 'p'.repeat(length)),
)

/** One change somewhere in a text of printable characters. */
export const changed = (text: string) =>
  fc
    .tuple(fc.nat(text.length - 1), fc.constantFrom('', 'A', '0', '%', '&', '=', '/', 'zz'))
    .map(([at, put]) => text.slice(0, at) + put + text.slice(at + 1))
