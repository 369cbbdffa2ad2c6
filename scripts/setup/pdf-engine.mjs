import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { lastLines, run } from './run.mjs'
import { say } from './say.mjs'
import { hashOf, isDone, markDone, repository } from './stamp.mjs'

const folder = 'packages/pdf'
const sources = ['src', 'bundle.mjs', 'package.json'].map((name) => `${folder}/${name}`)

/** Bundles the PDF engine once per version of its sources. The service starts only the bundle, so it must be there. */
export async function bundlePdfEngine() {
  const hash = hashOf({ files: [...sources, 'package-lock.json'] })
  if (isDone('pdf-engine', hash) && existsSync(join(repository, folder, 'build/main.js'))) return
  say('bundling the PDF engine')
  const node = join(repository, 'node_modules/.bin/node')
  const result = await run(node, [join(repository, folder, 'bundle.mjs')], { logName: 'pdf-engine.log' })
  if (!result.ok) throw new Error(`the PDF engine cannot be bundled:\n${lastLines(result.output)}`)
  markDone('pdf-engine', hash)
}
