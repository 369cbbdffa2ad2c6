import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { send } from '@fastify/send'
import { openArtifact } from '@kiln/converter/artifact'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { refused } from '../../errors.ts'

// Common parts of the server-rendered pages: escaping, the header and footer of a page, and its HTTP headers.

/** Escapes text for use between tags and in attributes. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/** Also renders `code` between backquotes. */
export const escapeWithCode = (text: string): string =>
  escapeHtml(text).replace(/`([^`]*)`/g, '<code>$1</code>')

/** The script of the pages adds a button that copies the code. */
export const codeBlock = (code: string, label: string): string =>
  `<div class="code" data-copy><pre tabindex="0" role="region" aria-label="${escapeHtml(label)}"><code>${escapeHtml(code)}</code></pre></div>`

/** A table that scrolls by itself on a narrow screen. Empty without rows; `rows` are HTML. */
export function table(label: string, heads: readonly string[], rows: readonly string[]): string {
  if (rows.length === 0) return ''
  const head = heads.map((text) => `<th scope="col">${text}</th>`).join('')
  return `<div class="scroll" tabindex="0" role="region" aria-label="${escapeHtml(label)}"><table><thead><tr>${head}</tr></thead><tbody>${rows.join('\n')}</tbody></table></div>`
}

export interface Page {
  title: string
  description: string
  path: string
  body: string
  /** Files in addition to those of every page. */
  files?: { style: string; script: string }
}

const mark = `<svg class="mark" viewBox="0 0 32 32" aria-hidden="true"><path d="M3 29V15a13 13 0 0 1 26 0v14h-8v-9a5 5 0 0 0-10 0v9z"/><path class="fire" d="M16 17c2.4 2.8 3.5 4.7 3.5 7a3.5 3.5 0 0 1-7 0c0-2.3 1.1-4.2 3.5-7z"/></svg>`

export function renderPage({ title, description, path, body, files }: Page, prefix: string): string {
  const styles = [...pageFiles.styles, ...(files ? [files.style] : [])]
  const scripts = [pageFiles.script, ...(files ? [files.script] : [])]
  const link = (href: string, text: string) =>
    `<a href="${href}"${href === path ? ' aria-current="page"' : ''}>${text}</a>`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${escapeHtml(description)}">
<title>${escapeHtml(title)}</title>
<link rel="icon" type="image/svg+xml" href="${pageFiles.icon}">
${styles.map((href) => `<link rel="stylesheet" href="${href}">`).join('\n')}
${scripts.map((src) => `<script type="module" src="${src}"></script>`).join('\n')}
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="top"><div class="wide">
<a class="brand" href="/">${mark}<span>Kiln</span></a>
<nav aria-label="Pages">${link('/', 'Convert')}${link('/developers', 'Developers')}${link(`${prefix}/docs`, 'API')}${link('/status', 'Status')}</nav>
</div></header>
<main id="content">
${body}
</main>
<footer class="bottom"><div class="wide">
<span>Kiln, a file conversion service that you run yourself.</span>
<a href="/console">Operator console</a>
</div></footer>
</body>
</html>
`
}

type Policy = Readonly<Record<string, string>>

const pagePolicy: Policy = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'font-src': "'self'",
  'connect-src': "'self'",
  'form-action': "'self'",
  'base-uri': "'none'",
  'frame-ancestors': "'none'",
}

/** The web app also shows previews of files, and uploads to the bucket if there is one. */
export const appPolicy = (uploadOrigin: string | null): Policy => ({
  ...pagePolicy,
  'img-src': "'self' data: blob:",
  'media-src': "'self' blob:",
  'worker-src': "'self'",
  'connect-src': uploadOrigin === null ? "'self'" : `'self' ${uploadOrigin}`,
})

/** Pages load nothing from other origins, run no inline scripts, and cannot be framed by another site. */
export function sendPage(reply: FastifyReply, html: string, policy: Policy = pagePolicy): FastifyReply {
  const directives = Object.entries(policy).map(([name, sources]) => `${name} ${sources}`)
  return reply
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': directives.join('; '),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cache-control': 'no-cache',
    })
    .serializer((text: unknown) => text as string)
    .send(html)
}

// The static files of the pages, all from packages/console. Those of the server-rendered pages are served unchanged
// from the repository. Those of the web app and the console are built by the set-up, and their names contain a hash.

const folder = fileURLToPath(new URL('../../../../console/', import.meta.url))
const consoleBuild = openArtifact(new URL('../../../../console/build', import.meta.url))

/** The files that every server-rendered page loads. */
const pageFiles = {
  styles: ['/pages/theme.css', '/pages/pages.css'],
  script: '/pages/pages.js',
  icon: '/pages/icon.svg',
}

/** The additional files of the API reference. */
export const apiPageFiles = { style: '/pages/api.css', script: '/pages/api.js' }

export interface BuiltPages {
  console: string
  app: string
}

/** The built pages; null when the set-up has not built them. */
export async function readBuiltPages(): Promise<BuiltPages | null> {
  const read = (name: string) => readFile(`${consoleBuild}/${name}.html`, 'utf8')
  try {
    return { console: await read('index'), app: await read('app') }
  } catch {
    // The set-up has not built the pages.
    return null
  }
}

export function fileRoutesOfPages(app: FastifyInstance): void {
  serve(app, '/pages', `${folder}pages`, 'no-cache')
  serve(app, '/assets', `${consoleBuild}/assets`, 'public, max-age=31536000, immutable')
}

function serve(app: FastifyInstance, path: string, root: string, cacheControl: string): void {
  app.get<{ Params: { name: string } }>(
    `${path}/:name`,
    { schema: { hide: true } },
    async (request, reply) => {
      const file = await send(request.raw, encodeURIComponent(request.params.name), {
        root,
        dotfiles: 'deny',
        cacheControl: false,
        index: false,
      })
      if (file.type !== 'file') throw refused('not-found', 'There is nothing at this address.')
      return reply
        .code(file.statusCode)
        .headers(file.headers)
        .headers({ 'cache-control': cacheControl, 'x-content-type-options': 'nosniff' })
        .send(file.stream)
    },
  )
}
