import { readFile, writeFile } from 'node:fs/promises'
import { mailPage } from './mail/mail-page.ts'
import { readEml } from './mail/read-eml.ts'
import { readMsg } from './mail/read-msg.ts'
import { tellFailure } from './tell-failure.ts'

// A mail as a page, in the box.
//
//   read-mail.mjs IN eml|msg OUT [titled]   leaves one HTML file, with a title where it is asked for

const [input = '', format = '', output = '', titled = ''] = process.argv.slice(2)

await tellFailure(async () => {
  const bytes = await readFile(input)
  const mail = format === 'msg' ? readMsg(bytes) : await readEml(bytes)
  await writeFile(output, mailPage(mail, titled !== ''), { flag: 'wx' })
})
