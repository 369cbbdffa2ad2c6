import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { send } from '@fastify/send'
import { openArtifact } from '@kiln/converter/artifact'
import type { FastifyInstance } from 'fastify'
import { refused } from '../../errors.ts'

// The static files of the pages, all from packages/console. Those of the server-rendered pages are served unchanged
// from the repository. Those of the web app and the console are built by the set-up, and their names contain a hash.

const folder = fileURLToPath(new URL('../../../../console/', import.meta.url))
const consoleBuild = openArtifact(new URL('../../../../console/build', import.meta.url))

/** The files that every server-rendered page loads. */
export const pageFiles = {
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
