import { readFile, writeFile } from 'node:fs/promises'
import { decryptDocument } from './decrypt/decrypt-document.ts'
import { reportFailure } from './report-failure.ts'

// Decrypts a document. Runs in the sandbox.
//
//   decrypt.mjs IN PASSWORD-FILE OUT

const [input = '', passwordFile = '', output = ''] = process.argv.slice(2)

await reportFailure(async () => {
  const password = await readFile(passwordFile, 'utf8')
  await writeFile(output, await decryptDocument(await readFile(input), password), { flag: 'wx' })
})
