import { encodingName } from './encoding-names.ts'

// Declarations of the encoding in the first lines of a text, in any of the formats that have one. All of them are ASCII.

const declarations: readonly RegExp[] = [
  // HTML and XHTML
  /<meta[^<>]{1,500}?charset\s*=\s*["']?\s*([\w.:-]+)/i,
  /^\s*<\?xml[^<>]{1,200}?encoding\s*=\s*["']([\w.:-]+)/i,
  // LaTeX; the names of inputenc that are not labels are among the aliases
  /^[^%\n]{0,200}\\(?:usepackage|RequirePackage)\s*\[([\w-]+)\]\s*\{inputenc\}/m,
  // Emacs and Vim, in the first two lines of any text: docutils reads the former too
  /^(?:[^\n]{0,500}\n)?[^\n]{0,500}?(?:-\*-[^\n]{0,200}?\bcoding:|\bvim?:[^\n]{0,200}?\bfileencoding=)\s*([\w.-]+)/,
]

const inputencNames: ReadonlyMap<string, string> = new Map([
  ['latin1', 'windows-1252'],
  ['latin9', 'iso-8859-15'],
  ['latin10', 'iso-8859-16'],
  ['ansinew', 'windows-1252'],
  ['applemac', 'macintosh'],
  ['utf8x', 'utf-8'],
])

/** The declared encoding; undefined when there is none, or when it is Unicode, which is detected without it. */
export function declaredEncoding(head: string): string | undefined {
  for (const declaration of declarations) {
    const label = declaration.exec(head)?.[1] ?? ''
    const name = encodingName(inputencNames.get(label) ?? label)
    // A text that declares UTF-8 and is not UTF-8 is in an unknown encoding.
    if (name !== undefined) return name.startsWith('utf-') ? undefined : name
  }
  return undefined
}
