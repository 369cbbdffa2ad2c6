// The part of the Dockerfile's language that ours uses. What is not known is refused, never skipped.

export interface Instruction {
  name: 'RUN' | 'COPY' | 'ENV' | 'WORKDIR' | 'USER' | 'EXPOSE' | 'ENTRYPOINT' | 'CMD'
  /** Everything behind the name, on one line. */
  text: string
}

export interface Stage {
  image: string
  name: string | null
  instructions: Instruction[]
}

const known = ['RUN', 'COPY', 'ENV', 'WORKDIR', 'USER', 'EXPOSE', 'ENTRYPOINT', 'CMD'] as const

export function parseDockerfile(source: string): Stage[] {
  const stages: Stage[] = []
  for (const line of joinLines(source)) {
    const [, name = '', text = ''] = /^(\S+)\s+(.*)$/.exec(line) ?? []
    if (name === 'FROM') {
      const [image = '', , stageName] = text.split(/\s+/)
      stages.push({ image, name: stageName ?? null, instructions: [] })
      continue
    }
    const found = known.find((each) => each === name)
    if (!found) throw new Error(`The proof does not know the instruction ${name}.`)
    const stage = stages.at(-1)
    if (!stage) throw new Error(`${name} stands before the first FROM.`)
    stage.instructions.push({ name: found, text })
  }
  return stages
}

function joinLines(source: string): string[] {
  return source
    .split('\n')
    .filter((line) => !/^\s*#/.test(line))
    .join('\n')
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

/** `A=b C=d` as an object. */
export const parseAssignments = (text: string): Record<string, string> =>
  Object.fromEntries(
    text.split(/\s+/).map((assignment) => {
      const at = assignment.indexOf('=')
      return [assignment.slice(0, at), assignment.slice(at + 1)]
    }),
  )

/** The exec form, `["a", "b"]`. */
export function parseList(text: string): string[] {
  const list: unknown = JSON.parse(text)
  if (!Array.isArray(list) || !list.every((word) => typeof word === 'string'))
    throw new Error(`${text} is not a list of words.`)
  return list
}
