import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { send } from '@fastify/send'
import type { FastifyInstance } from 'fastify'
import { refused } from '../../errors.ts'

// The files of packages/console, as the set-up built them. Their names carry a hash of their content, so
// browsers may keep them for ever. Where nothing was built the public pages are plain but whole, and the
// console says what to do.

const folder = fileURLToPath(new URL('../../../../console/build/', import.meta.url))

export interface PageFiles {
  scripts: readonly string[]
  styles: readonly string[]
  icon: string | null
}

export interface BuiltFiles {
  publicPage: PageFiles
  /** Null when it was not built. */
  consoleHtml: string | null
}

interface ManifestEntry {
  file: string
  css?: string[]
}

export async function readBuiltFiles(): Promise<BuiltFiles> {
  try {
    const manifest = JSON.parse(await readFile(`${folder}manifest.json`, 'utf8')) as Record<
      string,
      ManifestEntry
    >
    const page = manifest['src/public/main.ts'] as ManifestEntry
    const icon = manifest['src/icon.svg']
    return {
      publicPage: {
        scripts: [`/${page.file}`],
        styles: (page.css ?? []).map((file) => `/${file}`),
        icon: icon ? `/${icon.file}` : null,
      },
      consoleHtml: await readFile(`${folder}index.html`, 'utf8'),
    }
  } catch {
    return { publicPage: { scripts: [], styles: [], icon: null }, consoleHtml: null }
  }
}

export function builtFilesRoute(app: FastifyInstance): void {
  app.get<{ Params: { name: string } }>(
    '/assets/:name',
    { schema: { hide: true } },
    async (request, reply) => {
      const file = await send(request.raw, encodeURIComponent(request.params.name), {
        root: `${folder}assets`,
        dotfiles: 'deny',
        cacheControl: false,
        index: false,
      })
      if (file.type !== 'file') throw refused('not-found', 'There is nothing at this address.')
      return reply
        .code(file.statusCode)
        .headers(file.headers)
        .headers({
          'cache-control': 'public, max-age=31536000, immutable',
          'x-content-type-options': 'nosniff',
        })
        .send(file.stream)
    },
  )
}
