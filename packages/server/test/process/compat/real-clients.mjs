import { createReadStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import chromiumly from 'chromiumly'
import tika from 'tika-js'

// Third-party clients for Gotenberg and Tika, unchanged, in a separate process because one of them reads settings files
// and changes the environment. Arguments: the address with the key, and a folder with letter.txt.

const [address, folder] = process.argv.slice(2)
const { origin, password } = new URL(address)
const { Chromiumly, HtmlConverter, LibreOffice, MarkdownConverter, PDFEngines } = chromiumly

Chromiumly.configure({ endpoint: origin, username: 'kiln', password })
const text = (content) => Buffer.from(content)
const pdfs = {
  html: await new HtmlConverter().convert({
    html: text('<h1>A page</h1><img src="mark.svg">'),
    assets: [{ file: text('<svg xmlns="http://www.w3.org/2000/svg"/>'), name: 'mark.svg' }],
    properties: { landscape: true },
  }),
  markdown: await new MarkdownConverter().convert({
    html: text('<html><body>{{ toHTML "file.md" }}</body></html>'),
    markdown: text('# A text'),
  }),
  office: await LibreOffice.convert({ files: [`${folder}/letter.txt`] }),
}
pdfs.merged = await PDFEngines.merge({ files: [pdfs.html, pdfs.office] })
for (const [name, content] of Object.entries(pdfs)) await writeFile(`${folder}/${name}.pdf`, content)

const client = new tika.TikaClient({ host: address })
const file = () => createReadStream(`${folder}/office.pdf`)
process.stdout.write(
  JSON.stringify({
    version: await client.getVersion(),
    text: await client.getContent(file(), 'text/plain'),
    html: await client.getContent(file(), 'text/html'),
    metadata: await client.getMetadata(file()),
  }),
)
