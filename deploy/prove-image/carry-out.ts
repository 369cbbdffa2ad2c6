import { chmod, copyFile, cp, mkdir, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { listContext } from './build-context.ts'
import { type Instruction, parseAssignments, parseList, type Stage } from './parse-dockerfile.ts'
import { commandIn, copyRoot, lendNetwork, type RunOptions, run } from './system-root.ts'

// Carries out the instructions of a stage in a folder of its own.

export interface BuiltStage {
  root: string
  settings: RunOptions
  entrypoint: string[]
  command: string[]
}

export interface BuildParts {
  repository: string
  base: string
  folder: string
  built: ReadonlyMap<string, BuiltStage>
  certificates: string | null
  /** An earlier run has done the work; only what the instructions say of the image is wanted. */
  reuse: boolean
  say: (line: string) => void
}

export async function carryOut(stage: Stage, parts: BuildParts): Promise<BuiltStage> {
  const root = join(parts.folder, stage.name ?? 'image')
  if (!parts.reuse) {
    await mkdir(parts.folder, { recursive: true })
    await copyRoot(parts.base, root)
    await lendNetwork(root, parts.certificates)
  }
  const lent = parts.certificates ? { NODE_EXTRA_CA_CERTS: '/etc/build-certificates.pem' } : {}
  const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
  const built: BuiltStage = {
    root,
    settings: { environment: { PATH: path }, workingFolder: '/', user: null },
    entrypoint: [],
    command: [],
  }
  for (const instruction of stage.instructions) {
    if (parts.reuse && ['RUN', 'COPY'].includes(instruction.name)) continue
    parts.say(`${instruction.name} ${instruction.text.slice(0, 120)}`)
    await carryOutOne(instruction, built, parts, lent)
  }
  return built
}

async function carryOutOne(
  { name, text }: Instruction,
  built: BuiltStage,
  parts: BuildParts,
  lent: Record<string, string>,
): Promise<void> {
  const { root, settings } = built
  if (name === 'ENV') Object.assign(settings.environment, parseAssignments(text))
  else if (name === 'USER') settings.user = text
  else if (name === 'WORKDIR') {
    settings.workingFolder = resolve(settings.workingFolder, text)
    await mkdir(join(root, settings.workingFolder), { recursive: true })
  } else if (name === 'ENTRYPOINT') built.entrypoint = parseList(text)
  else if (name === 'CMD') built.command = parseList(text)
  else if (name === 'COPY') await copyFiles(text, built, parts)
  else if (name === 'RUN') {
    const environment = { ...settings.environment, ...lent, DEBIAN_FRONTEND: 'noninteractive', HOME: '/root' }
    const [program = '', ...args] = commandIn(root, ['/bin/sh', '-c', text], { ...settings, environment })
    await run(program, args)
  }
}

async function copyFiles(text: string, { root, settings }: BuiltStage, parts: BuildParts): Promise<void> {
  const words = text.split(/\s+/)
  const from = /^--from=(.+)$/.exec(words[0] ?? '')?.[1]
  const sources = words.slice(from ? 1 : 0, -1)
  const target = words.at(-1) as string
  const place = join(root, resolve(settings.workingFolder, target))
  if (from) {
    const stage = parts.built.get(from)
    if (!stage) throw new Error(`There is no stage "${from}" to copy from.`)
    for (const source of sources)
      await cp(join(stage.root, source), place, { recursive: true, verbatimSymlinks: true })
    return
  }
  const context = await listContext(parts.repository)
  for (const source of sources) {
    const files = context.filter((path) => path === source || path.startsWith(`${source}/`))
    if (files.length === 0) throw new Error(`COPY ${source}: .dockerignore leaves nothing of it.`)
    for (const file of files) {
      const own = file === source ? (target.endsWith('/') ? file : '') : file.slice(source.length + 1)
      await mkdir(dirname(join(place, own)), { recursive: true })
      const [original, copy] = [join(parts.repository, file), join(place, own)]
      await copyFile(original, copy)
      await chmod(copy, (await stat(original)).mode & 0o777)
    }
  }
}
