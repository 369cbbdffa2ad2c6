import { readFileSync } from 'node:fs'

// The three steps of a conversion in each language of the API reference. A test extracts the code from the page and
// runs it, with a README.md in its working directory and KEY set.

export interface Step {
  title: string
  text: string
  /** In the order of `languages`. */
  code: readonly string[]
}

export const languages = [
  { id: 'curl', label: 'curl', install: '' },
  { id: 'typescript', label: 'TypeScript', install: 'npm install ./kiln-client-0.1.0.tgz' },
  { id: 'python', label: 'Python', install: 'pip install ./clients/python' },
] as const

export function conversionSteps(address: { publicUrl: string; prefix: string }): Step[] {
  const base = address.publicUrl + address.prefix
  const [submit = '', upload = '', fetchOutput = ''] = curlLines(address, '-H "Authorization: Bearer $KEY"')
  return [
    {
      title: 'Submit',
      text: 'Name the pair and the exact number of bytes. The response has a job id and an upload link.',
      code: [submit, submitCode('typescript', base), submitCode('python', base)],
    },
    {
      title: 'Upload',
      text: 'PUT the file to the link. The link is the permission: no key goes with it.',
      code: [upload, 'await kiln.upload(job, file)', 'kiln.upload(job, file, len(file))'],
    },
    {
      title: 'Download',
      text: 'Wait until the job is `done`, then download the output from its link.',
      code: [
        fetchOutput,
        `await kiln.resume(job.jobId, { output: 'README.html' })`,
        `kiln.download(kiln.wait(job["jobId"]), "README.html")`,
      ],
    },
  ]
}

/** The first step is longer than a line, so its code is in a separate file. */
const submitCode = (language: string, base: string): string =>
  readFileSync(new URL(`./code/submit-${language}.txt`, import.meta.url), 'utf8')
    .trimEnd()
    .replace('BASE_URL', base)

/** The three commands that convert README.md to README.html; `auth` is the header option with the key. */
export function curlLines(address: { publicUrl: string; prefix: string }, auth: string): string[] {
  const { publicUrl, prefix } = address
  return [
    `JOB=$(curl -s ${publicUrl}${prefix}/v1/conversions ${auth} -H 'Content-Type: application/json' -d "{\\"pair\\":\\"md-to-html\\",\\"bytes\\":$(wc -c < README.md)}")`,
    `curl -sT README.md "$(echo "$JOB" | grep -o 'http[^"]*')"`,
    `curl -so README.html "$(curl -s -H 'Prefer: wait=25' ${auth} ${publicUrl}$(echo "$JOB" | grep -o '${prefix}/v1/conversions/[^"]*') | grep -o 'http[^"]*')"`,
  ]
}
