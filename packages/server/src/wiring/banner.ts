import type { Config } from '../config/config.ts'
import { curlLines } from '../http/pages/quick-start.ts'

// The output of `npm start` when it is ready. The key of the first account and the password of the console are shown
// here once. The three commands are meant to be pasted; a test does that.

type Address = Pick<Config, 'publicUrl' | 'prefix'>

export function readyBanner(config: Address & Pick<Config, 'dataDir'>): string {
  const base = config.publicUrl + config.prefix
  return `
Kiln is ready at ${base}
  web app   ${config.publicUrl}/
  API page  ${base}/docs
  console   ${config.publicUrl}/console
  data      ${config.dataDir}
  stop      Ctrl-C

`
}

export function firstInvitationBanner(link: string): string {
  return `Open this link to convert files in your browser. It works once, for you or the first person you send it to:

  ${link}

`
}

export function firstKeyBanner(address: Address, key: string): string {
  return `Your first account has this API key. It is shown once; keep it:

  ${key}

Paste these lines to convert README.md to README.html:

${curlLines(address, `-H 'Authorization: Bearer ${key}'`).join('\n')}

`
}

export function firstPasswordBanner(address: Address, password: string): string {
  return `The operator console at ${address.publicUrl}/console has this password. It is shown once; keep it:

  ${password}

`
}
