import type { Config } from '../config/config.ts'
import { curlLines } from '../http/pages/quick-start.ts'

// What `npm start` says when it is up. The key of the first account is shown here once and never
// again, and so is the password of the console. The three lines are meant to be pasted; a test does exactly that.

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
