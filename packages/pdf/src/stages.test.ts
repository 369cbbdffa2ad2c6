import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, it } from 'vitest'

/** Each imports only those before it; files beside the folders are used by all. */
const stages = ['read', 'math', 'lines', 'tables', 'layout', 'blocks', 'sections', 'write']

const stageOf = (file: string): number => stages.indexOf(file.split('/')[0] ?? '')

const laterImports = (file: string, source: string): string[] =>
  [...source.matchAll(/ from '(\.[^']+)'/g)]
    .map(([, path = '']) => join(dirname(file), path))
    .filter((imported) => stageOf(imported) > stageOf(file))

it('lets every stage import only the stages before it', () => {
  const sources = globSync(`${import.meta.dirname}/*/**/*.ts`).map((path) =>
    relative(import.meta.dirname, path),
  )
  const engine = sources.filter((file) => !/(?:\.test\.ts$|\/test-)/.test(file))
  expect(new Set(engine.map((file) => file.split('/')[0]))).toEqual(new Set(stages))
  expect(
    engine.flatMap((file) => laterImports(file, readFileSync(join(import.meta.dirname, file), 'utf8'))),
  ).toEqual([])
  expect(laterImports('read/a.ts', "import { b } from '../math/b.ts'")).toEqual(['math/b.ts'])
})
