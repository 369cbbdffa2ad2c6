import { describe, type TestOptions } from 'vitest'

const levels = ['bubblewrap', 'landlock'] as const
export type Level = (typeof levels)[number]

/** The same tests at each sandbox level. Those of the second, which few machines use, are slow. `%s` is the level. */
export function describeAtLevels(name: string, tests: (level: Level) => void, options: TestOptions = {}) {
  for (const level of levels)
    describe(name.replace('%s', level), { ...options, tags: level === 'bubblewrap' ? [] : ['slow'] }, () =>
      tests(level),
    )
}
