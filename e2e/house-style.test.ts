import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AdminCommand, askAdmin, runAdmin } from '@kiln/test-support/admin-command.ts'
import { docxWith } from '@kiln/test-support/documents.ts'
import { unzip } from '@kiln/test-support/zip.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Account, createAccount, describeWithOperator, main, someClient } from './accounts.ts'
import { pdfText } from './pdf-text.ts'
import { requirement } from './requirements.ts'
import { bytesOf, type Client } from './service.ts'

const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
const styles = `<w:styles xmlns:w="${word}"><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/><w:rPr><w:color w:val="7A1F1F"/></w:rPr></w:style></w:styles>`
const reference = docxWith('<w:p/><w:sectPr><w:pgSz w:w="8391" w:h="11906"/></w:sectPr>', {
  entries: [{ name: 'word/styles.xml', content: styles }],
})
const css = 'h1::before { content: "Housemark " }'

const make = async (client: Client, pair: string): Promise<Buffer> =>
  Buffer.from(await client.convert(pair, bytesOf('# Title\n\nWords.\n')))

describeWithOperator('a house style', () => {
  const admin = main.admin as AdminCommand
  let folder: string
  let account: Account
  const style = (command: string, ...rest: string[]) => [
    'account',
    'style',
    command,
    '--account',
    account.id,
    ...rest,
  ]
  const file = async (name: string, content: string | Buffer) => {
    await writeFile(join(folder, name), content)
    return join(folder, name)
  }
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kiln-style-'))
    // The command runs as the user of the service.
    await chmod(folder, 0o755)
    account = await createAccount(main, { credits: 100 })
    const files = ['--css', await file('house.css', css), '--reference', await file('house.docx', reference)]
    await askAdmin(admin, ...style('set', ...files))
  })
  afterAll(() => rm(folder, { recursive: true }))

  test(`${requirement('house-style.reference')} gives documents the styles and the page of its reference`, async () => {
    const parts = unzip(await make(account.client, 'md-to-docx'))
    expect(parts.get('word/styles.xml')?.toString()).toContain('7A1F1F')
    expect(parts.get('word/document.xml')?.toString()).toContain('w:w="8391"')
  })

  test(`${requirement('house-style.css', 'house-style.own-account')} gives pages its style sheet, to its own account alone`, async () => {
    const [page, printed, other] = await Promise.all([
      make(account.client, 'md-to-html'),
      make(account.client, 'md-to-pdf'),
      make(someClient(), 'md-to-html'),
    ])
    expect(page.toString()).toContain(css)
    expect(await pdfText(printed)).toContain('Housemark Title')
    expect(other.toString()).not.toContain('Housemark')
  })

  test(`${requirement('house-style.refused')} that would break out, fetch or run something is refused; one that is removed is gone`, async () => {
    const mainType = 'application/vnd.ms-word.document.macroEnabled.main+xml'
    const bad = [
      ['--css', await file('bad.css', 'p {} </style><script>alert(1)</script>')],
      ['--reference', await file('macros.docx', docxWith('<w:p/>', { mainType }))],
    ]
    for (const args of bad) {
      const { status, stderr } = await runAdmin(admin, ...style('set', ...args))
      expect(status).not.toBe(0)
      expect(stderr).toMatch(/must not|must hold no/)
    }
    await askAdmin(admin, ...style('remove', '--css'))
    const shown = await askAdmin<{ style: object }>(admin, ...style('show'))
    expect(shown.style).toMatchObject({ css: null, referenceBytes: reference.length })
    expect((await make(account.client, 'md-to-html')).toString()).not.toContain('Housemark')
  })
})
