/** The three commands that convert README.md to README.html; `auth` is the header option with the key. */
export function curlLines(address: { publicUrl: string; prefix: string }, auth: string): string[] {
  const { publicUrl, prefix } = address
  return [
    `JOB=$(curl -s ${publicUrl}${prefix}/v1/conversions ${auth} -H 'Content-Type: application/json' -d "{\\"pair\\":\\"md-to-html\\",\\"bytes\\":$(wc -c < README.md)}")`,
    `curl -sT README.md "$(echo "$JOB" | grep -o 'http[^"]*')"`,
    `curl -so README.html "$(curl -s -H 'Prefer: wait=25' ${auth} ${publicUrl}$(echo "$JOB" | grep -o '${prefix}/v1/conversions/[^"]*') | grep -o 'http[^"]*')"`,
  ]
}
