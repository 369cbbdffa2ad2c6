import type { InterchangeFormat } from '../../src/engines/pandoc/formats.ts'
import { docx, docxWithLinkedPicture, epub, odt, odtWithLinkedPicture } from './packages.ts'
import type { World } from './world.ts'

// Attacks of a file on pandoc. `bare` is the behaviour of the stock program; "harmless" rows guard against later
// versions that behave differently.

export interface PandocRow {
  name: string
  from: InterchangeFormat
  to: InterchangeFormat
  bare: 'hits' | 'fails' | 'harmless'
  bareOptions?: readonly string[]
  /** The expected result in the sandbox: an output with this text, or a failure with this word. */
  sandboxed: { keeps: string } | { fails: string }
  file(world: World): string | Buffer
}

const keeps = (text: string) => ({ keeps: text })

export const pandocRows: readonly PandocRow[] = [
  // LaTeX pulls in files
  ...(['input', 'include', 'subfile'] as const).map(
    (command): PandocRow => ({
      name: `\\${command} of a file`,
      from: 'latex',
      to: 'md',
      bare: 'hits',
      sandboxed: keeps('Plain text'),
      file: ({ secrets }) =>
        `\\documentclass{article}\\begin{document}\nPlain text\n\n\\${command}{${secrets}/secret}\n\\end{document}\n`,
    }),
  ),
  {
    name: '\\lstinputlisting of any file',
    from: 'latex',
    to: 'html',
    bare: 'hits',
    sandboxed: keeps('Plain text'),
    file: ({ secrets }) => `Plain text\n\n\\lstinputlisting{${secrets}/secret.txt}\n`,
  },
  {
    name: '\\write18, \\openin, verbatiminput and a package by path',
    from: 'latex',
    to: 'html',
    bare: 'harmless',
    sandboxed: keeps('Plain text'),
    file: ({ secrets }) =>
      `\\usepackage{${secrets}/secret}\\immediate\\write18{cat ${secrets}/secret.txt}\\openin5=${secrets}/secret.txt \\read5 to\\x \\verbatiminput{${secrets}/secret.txt}\n\nPlain text\n`,
  },
  {
    name: 'an image by path in LaTeX',
    from: 'latex',
    to: 'docx',
    bare: 'hits',
    sandboxed: keeps('Plain text'),
    file: ({ secrets }) => `Plain text\n\n\\includegraphics{${secrets}/secret.gif}\n`,
  },
  // RST pulls in files and addresses
  {
    name: 'include of a file',
    from: 'rst',
    to: 'md',
    bare: 'hits',
    sandboxed: keeps('Plain text'),
    file: ({ secrets }) => `Plain text\n\n.. include:: ${secrets}/secret.txt\n`,
  },
  {
    name: 'include of the environment',
    from: 'rst',
    to: 'md',
    bare: 'hits',
    sandboxed: keeps('Plain text'),
    file: () => 'Plain text\n\n.. include:: /proc/self/environ\n   :literal:\n',
  },
  {
    name: 'csv-table from a file',
    from: 'rst',
    to: 'html',
    bare: 'hits',
    sandboxed: { fails: 'unsupported' },
    file: ({ secrets }) => `Plain text\n\n.. csv-table:: t\n   :file: ${secrets}/secret.csv\n`,
  },
  {
    name: 'csv-table from an address',
    from: 'rst',
    to: 'html',
    bare: 'hits',
    sandboxed: { fails: 'unsupported' },
    file: ({ canary }) => `Plain text\n\n.. csv-table:: t\n   :url: ${canary}/table.csv\n`,
  },
  {
    name: 'raw HTML from an address and from a file',
    from: 'rst',
    to: 'epub',
    bare: 'hits',
    sandboxed: keeps('Plain text'),
    file: ({ canary }) => `Plain text\n\n.. raw:: html\n\n   <img src="${canary}/raw.gif">\n`,
  },
  // HTML
  {
    name: 'iframe',
    from: 'html',
    to: 'md',
    bare: 'hits',
    sandboxed: keeps('Plain text'),
    file: ({ canary }) => `<p>Plain text</p><iframe src="${canary}/frame.html"></iframe>`,
  },
  {
    name: 'base address that makes every image remote',
    from: 'html',
    to: 'docx',
    bare: 'hits',
    sandboxed: keeps('Plain text'),
    file: ({ canary }) => `<head><base href="${canary}/"></head><p>Plain text <img src="a.gif" alt="a"></p>`,
  },
  // Images from the web and from the disk, into every format that holds pictures
  ...(['docx', 'epub', 'odt'] as const).flatMap((to): PandocRow[] => [
    {
      name: `image from the web into ${to}`,
      from: 'md',
      to,
      bare: 'hits',
      sandboxed: keeps('described'),
      file: ({ canary }) => `Plain text ![described](${canary}/picture.gif)\n`,
    },
    {
      name: `image from the disk into ${to}`,
      from: 'md',
      to,
      bare: 'hits',
      sandboxed: keeps('described'),
      file: ({ secrets }) => `Plain text ![described](${secrets}/secret.gif)\n`,
    },
    {
      name: `image by file: address into ${to}`,
      from: 'html',
      to,
      bare: 'hits',
      sandboxed: keeps('described'),
      file: ({ secrets }) => `<p>Plain text <img alt="described" src="file://${secrets}/secret.gif"></p>`,
    },
    {
      name: `image that is nowhere into ${to}`,
      from: 'md',
      to,
      bare: 'harmless',
      sandboxed: keeps('described'),
      file: () => 'Plain text ![described](/nowhere/at/all.gif)\n',
    },
  ]),
  {
    name: 'images made part of a page',
    from: 'md',
    to: 'html',
    bare: 'hits',
    bareOptions: ['--self-contained'],
    sandboxed: keeps('described'),
    file: ({ canary, secrets }) =>
      `Plain text ![described](${canary}/a.gif) ![other](${secrets}/secret.gif)\n`,
  },
  {
    name: 'raw tags that an EPUB would carry',
    from: 'md',
    to: 'epub',
    bare: 'hits',
    sandboxed: keeps('Plain text'),
    file: ({ canary, secrets }) =>
      `Plain text <video src="${canary}/v.gif" poster="${secrets}/secret.gif"></video> <img src="${secrets}/secret.gif">\n\n<audio src="${canary}/a.gif"></audio>\n`,
  },
  // Metadata that names files
  {
    name: 'css in the front matter',
    from: 'md',
    to: 'epub',
    bare: 'hits',
    sandboxed: keeps('Plain text'),
    file: ({ secrets }) => `---\ntitle: T\ncss: ${secrets}/secret.css\n---\n\nPlain text\n`,
  },
  {
    name: 'cover-image in the front matter',
    from: 'md',
    to: 'epub',
    bare: 'hits',
    sandboxed: keeps('Plain text'),
    file: ({ secrets }) => `---\ntitle: T\ncover-image: ${secrets}/secret.gif\n---\n\nPlain text\n`,
  },
  {
    name: 'bibliography in the front matter',
    from: 'md',
    to: 'html',
    bare: 'fails',
    bareOptions: ['--citeproc'],
    sandboxed: keeps('Plain text'),
    file: ({ secrets }) => `---\nbibliography: ${secrets}/secret.txt\n---\n\nPlain text [@a]\n`,
  },
  // Packages with links to the outside
  {
    name: 'docx with a picture on the web',
    from: 'docx',
    to: 'epub',
    bare: 'harmless',
    sandboxed: keeps('Plain text'),
    file: ({ canary }) => docxWithLinkedPicture(`${canary}/linked.gif`),
  },
  {
    name: 'docx with a picture on the disk',
    from: 'docx',
    to: 'odt',
    bare: 'harmless',
    sandboxed: keeps('Plain text'),
    file: ({ secrets }) => docxWithLinkedPicture(`file://${secrets}/secret.gif`),
  },
  {
    name: 'odt with a picture on the web',
    from: 'odt',
    to: 'docx',
    bare: 'hits',
    sandboxed: keeps('Plain text'),
    file: ({ canary }) => odtWithLinkedPicture(`${canary}/linked.gif`),
  },
  {
    name: 'epub with a frame',
    from: 'epub',
    to: 'html',
    bare: 'hits',
    bareOptions: ['--self-contained'],
    sandboxed: keeps('Plain text'),
    file: ({ canary }) => epub(`<iframe src="${canary}/f"></iframe>`),
  },
  {
    name: 'epub with a picture on the web',
    from: 'epub',
    to: 'docx',
    bare: 'harmless',
    sandboxed: keeps('described'),
    file: ({ canary }) => epub(`<p><img src="${canary}/e.gif" alt="described"/></p>`),
  },
  {
    name: 'epub that names a file outside itself',
    from: 'epub',
    to: 'html',
    bare: 'harmless',
    sandboxed: keeps('Plain text'),
    file: ({ secrets }) => epub(`<p><img src="../../../../../..${secrets}/secret.gif" alt="e"/></p>`),
  },
  // External entities
  {
    name: 'entity of a file in docx',
    from: 'docx',
    to: 'md',
    bare: 'harmless',
    sandboxed: { fails: 'corrupt-input' },
    file: ({ secrets }) =>
      docx(
        '<w:p><w:r><w:t>&e;</w:t></w:r></w:p>',
        '',
        `<!DOCTYPE d [<!ENTITY e SYSTEM "file://${secrets}/secret.txt">]>`,
      ),
  },
  {
    name: 'entity of a file in odt',
    from: 'odt',
    to: 'md',
    bare: 'harmless',
    sandboxed: { fails: 'corrupt-input' },
    file: ({ secrets }) =>
      odt('<text:p>&e;</text:p>', `<!DOCTYPE d [<!ENTITY e SYSTEM "file://${secrets}/secret.txt">]>`),
  },
  {
    name: 'entity of a file in epub',
    from: 'epub',
    to: 'md',
    bare: 'harmless',
    sandboxed: keeps('Plain text'),
    file: ({ secrets }) =>
      epub('<p>&e;</p>', `<!DOCTYPE html [<!ENTITY e SYSTEM "file://${secrets}/secret.txt">]>`),
  },
]
