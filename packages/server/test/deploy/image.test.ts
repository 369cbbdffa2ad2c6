import { validate } from 'dockerfile-utils'
import { describe, expect, test } from 'vitest'
import { read } from './repository.ts'

// Checks of the image without building it; `npm run prove-image` builds and uses it.

const source = read('Dockerfile')
const [build = '', image = ''] = source.split(/^(?=FROM )/m).slice(1)

describe('the Dockerfile', () => {
  test('has no fault that a linter finds', () => {
    expect(validate(source).map(({ message, range }) => `${range.start.line + 1}: ${message}`)).toEqual([])
  })

  test('installs what the set-up’s table lists for the image, and compiles elsewhere', () => {
    expect(image).toContain('xargs apt-get install -y --no-install-recommends < /opt/packages')
    expect(build).toMatch(/apt-get install .*\bgcc\b.*\blibreofficekit-dev\b.*\bmake\b/)
  })

  test('is Debian 13, and runs as an ordinary user', () => {
    for (const stage of [build, image]) expect(stage).toMatch(/^FROM debian:trixie-slim\b/)
    expect([...image.matchAll(/^USER (.*)$/gm)].at(-1)?.[1]).toMatch(/^[1-9]\d*:[1-9]\d*$/)
  })
})

test('of the repository only what the Dockerfile copies is sent to a build', () => {
  const lines = read('.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  const sent = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1))
  const copied = [...source.matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, paths = '']) =>
    paths.split(' '),
  )
  expect(lines[0]).toBe('*')
  expect(copied.filter((path) => !sent.some((each) => path === each || path.startsWith(`${each}/`)))).toEqual(
    [],
  )
  expect(sent.filter((path) => !copied.some((each) => path === each || each.startsWith(`${path}/`)))).toEqual(
    [],
  )
})
