import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { makeDocuments } from '../office/documents.ts'

export interface Input {
  name: string
  kind: 'office' | 'pdf' | 'interchange' | 'web' | 'video'
  pair: string
  path: string
  /** Number of conversions per measurement. */
  count: number
}

/** A file of every kind that Kiln converts. */
export async function makeInputs(folder: string): Promise<Input[]> {
  const { docx, xlsx, pptx, odt } = await makeDocuments(folder)
  const run = promisify(execFile)
  const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`
  await run('soffice', [profile, '--headless', '--convert-to', 'pdf', docx], { cwd: folder })
  const video = join(folder, 'film.mkv')
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=duration=10:size=1280x720:rate=25']
  const sound = ['-f', 'lavfi', '-i', 'sine=duration=10', '-c:v', 'libx264', '-preset', 'ultrafast']
  const encoding = [...sound, '-pix_fmt', 'yuv420p', '-c:a', 'aac', '-y', video]
  await run('ffmpeg', ['-loglevel', 'error', ...picture, ...encoding])
  const readme = new URL('../../../../README.md', import.meta.url).pathname
  const page = join(folder, 'page.html')
  await run('pandoc', ['-s', '-t', 'html', '--metadata', 'title=Page', '-o', page, readme])
  const pdf = docx.replace(/docx$/, 'pdf')
  return [
    { name: 'Markdown to HTML', kind: 'interchange', pair: 'md-to-html', path: readme, count: 30 },
    { name: 'Word to Markdown, 12 pages', kind: 'interchange', pair: 'docx-to-md', path: docx, count: 12 },
    { name: 'Word to PDF, 12 pages', kind: 'office', pair: 'docx-to-pdf', path: docx, count: 12 },
    { name: 'Excel to PDF', kind: 'office', pair: 'xlsx-to-pdf', path: xlsx, count: 12 },
    { name: 'PowerPoint to PDF', kind: 'office', pair: 'pptx-to-pdf', path: pptx, count: 12 },
    { name: 'OpenDocument text to PDF', kind: 'office', pair: 'odt-to-pdf', path: odt, count: 12 },
    { name: 'HTML to PDF', kind: 'web', pair: 'html-to-pdf', path: page, count: 12 },
    { name: 'PDF to Word, 12 pages', kind: 'pdf', pair: 'pdf-to-docx', path: pdf, count: 10 },
    { name: 'video to MP4, copied', kind: 'video', pair: 'mkv-to-mp4', path: video, count: 6 },
    { name: 'video to WebM, 10 s of 720p', kind: 'video', pair: 'mkv-to-webm', path: video, count: 2 },
  ]
}
