import type { Config } from './config.ts'

// What `npm start` says when it is up. The key of the first account is shown here once and never
// again. The three lines are meant to be pasted; a test does exactly that.

type Address = Pick<Config, 'publicUrl' | 'prefix'>

export function readyBanner(config: Address & Pick<Config, 'dataDir'>): string {
  const base = config.publicUrl + config.prefix
  return `
Kiln is ready at ${base}
  API page  ${base}/docs
  data      ${config.dataDir}
  stop      Ctrl-C

`
}

export function firstKeyBanner(address: Address, key: string): string {
  return `Your first account has this API key. It is shown once; keep it:

  ${key}

Paste these lines to convert README.md to README.html:

${curlLines(address, key).join('\n')}

`
}

export function curlLines({ publicUrl, prefix }: Address, key: string): string[] {
  const auth = `-H 'Authorization: Bearer ${key}'`
  return [
    `JOB=$(curl -s ${publicUrl}${prefix}/v1/conversions ${auth} -H 'Content-Type: application/json' -d "{\\"pair\\":\\"md-to-html\\",\\"bytes\\":$(wc -c < README.md)}")`,
    `curl -sT README.md "$(echo "$JOB" | grep -o 'http[^"]*')"`,
    `curl -so README.html "$(curl -s -H 'Prefer: wait=25' ${auth} ${publicUrl}$(echo "$JOB" | grep -o '${prefix}/v1/conversions/[^"]*') | grep -o 'http[^"]*')"`,
  ]
}
