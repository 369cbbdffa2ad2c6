import { registerHooks } from 'node:module'

// Reads simulated scans without each step of the preparation in turn: npm run fidelity -- scan-steps FOLDER [COUNT]
// [LANGUAGES] [TEXTS]. The same documents are also photographed at an angle and bound as books. A scan is read again only
// without the steps that changed it. A step that gains nothing can be deleted.

interface Step {
  name: string
  /** In `packages/pdf/src/read`. */
  file: string
  /** Without the step, this function returns its argument of this index, or undefined. */
  function: string
  argument?: number
}

const steps: readonly Step[] = [
  { name: 'perspective', file: 'ocr/perspective.ts', function: 'rectified', argument: 0 },
  { name: 'light and levels', file: 'ocr/lighting.ts', function: 'evenLight', argument: 0 },
  { name: 'specks', file: 'ocr/specks.ts', function: 'despeckled', argument: 0 },
  { name: 'rotation', file: 'ocr/grey.ts', function: 'turn', argument: 0 },
  { name: 'skew', file: 'ocr/skew.ts', function: 'deskewed', argument: 0 },
  { name: 'leader dots', file: 'ocr/leaders.ts', function: 'withoutLeaders', argument: 0 },
  { name: 'resolution', file: 'scan-sizes.ts', function: 'dotsFor', argument: 1 },
  { name: 'two pages', file: 'ocr/spread.ts', function: 'gutterOf' },
]

let removed: string | undefined
const changing = new Set<string>()

/** Each step's function calls this with its arguments and its own result. */
Object.assign(globalThis, {
  stepResult(name: string, given: readonly unknown[], run: () => unknown): unknown {
    const step = steps.find((each) => each.function === name)
    const without = step?.argument === undefined ? undefined : given[step.argument]
    if (removed === name) return without
    const result = run()
    if (result !== without) changing.add(name)
    return result
  },
})

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    const own = steps.filter(({ file }) => url.endsWith(`/packages/pdf/src/read/${file}`))
    if (own.length === 0) return loaded
    let source = String(loaded.source)
    for (const { function: name } of own)
      source = source.replace(
        `export function ${name}(`,
        `export const ${name} = (...given) => globalThis.stepResult('${name}', given, () => ${name}Itself(...given))\nfunction ${name}Itself(`,
      )
    return { ...loaded, source }
  },
})

export async function ablateSteps(folder: string, args: string[]): Promise<void> {
  const { listMoreScans, listScans, makeScans } = await import('./make.ts')
  const { mean, measureScan, percent } = await import('./measure.ts')
  const [count = '2', languages = 'all', texts] = args
  const usual = listScans(folder, Number(count), texts).filter(
    ({ document }) => languages === 'all' || languages.split(',').includes(document.language.tesseract),
  )
  const scans = [...usual, ...listMoreScans(usual)]
  await makeScans(scans, folder)
  const rows: { step: string; part: string; gain: number }[] = []
  for (const scan of scans) {
    changing.clear()
    removed = undefined
    const { f1, cpu } = await measureScan(scan)
    const needed = [...changing]
    console.log(`${scan.part} ${scan.document.name} ${scan.device} F1 ${percent(f1)} ${cpu.toFixed(2)} s`)
    for (const step of needed) {
      removed = step
      const without = await measureScan(scan)
      rows.push({ step, part: scan.part, gain: f1 - without.f1 })
      console.log(`  without ${step}: F1 ${percent(without.f1)} ${without.cpu.toFixed(2)} s`)
    }
  }
  for (const [part, all] of Map.groupBy(scans, (scan) => scan.part))
    for (const { name, function: step } of steps) {
      const gains = rows.filter((row) => row.part === part && row.step === step).map((row) => row.gain)
      const gain = gains.length > 0 ? percent(mean(gains)) : 'nothing'
      console.log(
        `${part}, ${name}: changes ${gains.length} of ${all.length} pages, and F1 by ${gain} on these`,
      )
    }
}
