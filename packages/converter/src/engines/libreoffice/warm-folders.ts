import { constants } from 'node:fs'
import { chmod, copyFile, cp, mkdir, mkdtemp, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { LongLivedProcess } from '../../sandbox/long-lived-process.ts'
import { type OfficeJob, reportName } from './cold-soffice.ts'
import { warmUpFolder } from './warm-up-documents.ts'

// The work folder of one fork server, on the host. It appears in its sandbox as /jobs:
//   server/   its own: samples in in/, its profile, its temporary files
//   1/ 2/ …   one for every document, with in/, out/, tmp/ and a log. The child that converts the
//             document is locked into it.
// A document is copied in and its output moved out, so no folder of a job is ever shown to the sandbox.

/** Best created beside the folders of jobs, where engines can reach it and files can be moved without copying. */
export async function createWorkFolder(besideFolder: string): Promise<string> {
  const folder = await mkdtemp(join(besideFolder, 'office-'))
  // The engine user may traverse it, but not list it.
  await chmod(folder, 0o711)
  await makeFolders(join(folder, 'server'))
  await cp(warmUpFolder, join(folder, 'server/in'), { recursive: true })
  return folder
}

export interface DocumentFolder {
  /** Path on the host. */
  path: string
  /** Path in the sandbox. */
  inside: string
  out: string
  log: string
  /** All paths that the child can write to. */
  written: readonly string[]
}

export async function createDocumentFolder(
  workFolder: string,
  name: string,
  sandboxed: LongLivedProcess,
): Promise<DocumentFolder> {
  const path = join(workFolder, name)
  await makeFolders(path)
  await sandboxed.give(path)
  return {
    path,
    inside: sandboxed.inside(`/jobs/${name}`),
    out: join(path, 'out'),
    log: join(path, 'log'),
    written: [join(path, 'out'), join(path, 'tmp')],
  }
}

async function makeFolders(path: string): Promise<void> {
  await mkdir(path, { mode: 0o711 })
  await Promise.all(['in', 'out', 'tmp'].map((name) => mkdir(join(path, name))))
}

/** Copies the source to the path that the child expects: /in/… or /out/…, as in a separate sandbox. */
export async function bringSource(job: OfficeJob, folder: DocumentFolder): Promise<void> {
  await bring(job, folder, job.source)
  if (job.passwordFile !== undefined) await bring(job, folder, job.passwordFile)
}

async function bring(job: OfficeJob, folder: DocumentFolder, inside: string): Promise<void> {
  const [, place, name] = /^\/(in|out)\/([^/]+)$/.exec(inside) ?? []
  if (place === undefined || name === undefined) throw new Error(`No file at ${inside}.`)
  const from = join(place === 'in' ? job.inFolder : job.outFolder, name)
  const to = join(folder.path, place, name)
  await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
  // A copy that the engine made for changes has to be writable; LibreOffice refuses otherwise.
  await chmod(to, place === 'in' ? 0o444 : 0o666)
}

/** Moves output and report to the job. A link stays a link: the code that opens it does not follow links. */
export async function takeResults(job: OfficeJob, folder: DocumentFolder): Promise<void> {
  for (const name of [job.outputName, reportName]) {
    const [from, to] = [join(folder.out, name), join(job.outFolder, name)]
    await rename(from, to).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code === 'EXDEV') await cp(from, to, { recursive: true, verbatimSymlinks: true })
      else if (error.code !== 'ENOENT') throw error
    })
  }
}
